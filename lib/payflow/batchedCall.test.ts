/** Tests that a payment's call is found in a batch. */
import { describe, expect, it } from "vitest";
import type { Decoded } from "@/lib/decode/decoded";
import { findBatchedCall } from "./batchedCall";

const nonces = ["11", "22"].map((byte) => `0x${byte.repeat(32)}`);
const calls = nonces.map((nonce, index) => ({
  name: "",
  type: "(address,bool,bytes)",
  value: [
    { name: "target", type: "address", value: `0x${index}` },
    { name: "allowFailure", type: "bool", value: "true" },
    { name: "callData", type: "bytes", value: `0xe3ee160e${nonce.slice(2)}` },
  ],
}));
const batch: Decoded = {
  name: "aggregate3",
  signature: "aggregate3((address,bool,bytes)[])",
  interfaces: [],
  values: [{ name: "calls", type: "(address,bool,bytes)[]", value: calls }],
  guess: false,
};

describe("findBatchedCall", () => {
  it("finds the call with the payment's nonce", () => {
    expect(findBatchedCall([batch], nonces[1]!)).toEqual({ to: "0x1", data: `0xe3ee160e${nonces[1]!.slice(2)}` });
  });

  it("finds nothing in another batch, and nothing in a single settlement", () => {
    expect(findBatchedCall([batch], `0x${"33".repeat(32)}`)).toBeUndefined();
    expect(findBatchedCall([{ ...batch, name: "transferWithAuthorization" }], nonces[0]!)).toBeUndefined();
    expect(findBatchedCall([], nonces[0]!)).toBeUndefined();
  });
});
