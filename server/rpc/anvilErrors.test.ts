import { encodeErrorResult, type Hex, parseAbi } from "viem";
import { expect, it } from "vitest";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { toAnvilRefusal, toAnvilRevert } from "@/server/rpc/anvilErrors";

const abi = parseAbi(["error Error(string)", "error Panic(uint256)"]);
const panic = (code: bigint) => encodeErrorResult({ abi, errorName: "Panic", args: [code] });

it.each<[string, Hex, string | undefined]>([
  ["a reason", encodeErrorResult({ abi, errorName: "Error", args: ["no"] }), "no"],
  ["a failed assertion", panic(1n), "panic: assertion failed (0x01)"],
  ["an overflow", panic(17n), "panic: arithmetic underflow or overflow (0x11)"],
  ["an empty array", panic(49n), "panic: called `.pop()` on an empty array (0x31)"],
  ["an unspecified panic", panic(0n), "panic: generic/unspecified error (0x00)"],
  ["an unknown panic", panic(0x99n), "panic: unknown code (0x99)"],
  ["a custom error", "0x756688fe", "custom error 0x756688fe"],
  ["no data", "0x", undefined],
])("describes a revert with %s as anvil does", (_, data, words) => {
  expect(toAnvilRevert(toBytes(data))).toBe(words);
});

it("capitalizes the refusal that anvil capitalizes, and leaves other refusals unchanged", () => {
  const poor = "insufficient funds for gas * price + value";
  expect(toAnvilRefusal(poor, `${poor}: balance 1`)).toBe("Insufficient funds for gas * price + value: balance 1");
  expect(toAnvilRefusal("nonce too low", "nonce too low: next nonce 2")).toBe("nonce too low: next nonce 2");
});
