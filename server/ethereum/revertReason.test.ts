import { encodeErrorResult, parseAbi } from "viem";
import { expect, it } from "vitest";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { findRevertReason } from "@/server/ethereum/revertReason";

const read = (reason: string) =>
  findRevertReason(
    toBytes(encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [reason] })),
  );

it("shortens a contract's reason and removes characters that hide or reorder the surrounding text", () => {
  expect(read("Dai/insufficient-balance")).toBe("Dai/insufficient-balance");
  expect(read("sent\u202e\u2066 to\r\n\u0007you\u200f")).toBe("sent to you");
  expect(read("x".repeat(100_000))).toBe(`${"x".repeat(999)}…`);
});
