import { encodeErrorResult, parseAbi } from "viem";
import { expect, it } from "vitest";
import { toHardhatFailure, toHardhatRefusal } from "@/server/rpc/hardhatErrors";

const abi = parseAbi(["error Error(string)", "error Panic(uint256)", "error Foo(uint256)"]);
const revert = { kind: "revert", message: "execution reverted" } as const;
const prefix = "VM Exception while processing transaction:";

it.each([
  ["a reason", encodeErrorResult({ abi, errorName: "Error", args: ["no"] }), "reverted with reason string 'no'"],
  ["an empty reason", encodeErrorResult({ abi, errorName: "Error", args: [""] }), "reverted with reason string ''"],
  [
    "a panic",
    encodeErrorResult({ abi, errorName: "Panic", args: [17n] }),
    "reverted with panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)",
  ],
  [
    "an unknown panic",
    encodeErrorResult({ abi, errorName: "Panic", args: [255n] }),
    "reverted with panic code 0xff (Unknown panic code)",
  ],
  ["other data", "0x1234", "reverted with an unrecognized custom error (return data: 0x1234)"],
] as const)("describes a revert with %s as Hardhat does", (_, output, words) => {
  expect(toHardhatFailure({ failure: revert, output })).toBe(`${prefix} ${words}`);
});

it("describes a revert without data, a lack of gas and other failures as Hardhat does", () => {
  const outOfGas = { kind: "outOfGas", message: "out of gas" } as const;
  const halt = { kind: "halt", message: "invalid opcode: INVALID" } as const;
  expect(toHardhatFailure({ failure: revert, output: "0x" })).toBe("Transaction reverted without a reason string");
  expect(toHardhatFailure({ failure: outOfGas, output: "0x" })).toBe("Transaction ran out of gas");
  expect(toHardhatFailure({ failure: halt, output: "0x" })).toBe(`${prefix} invalid opcode: INVALID`);
});

it("describes a refusal with Hardhat's sentence and the details, and leaves other refusals unchanged", () => {
  const poor = "insufficient funds for gas * price + value";
  expect(toHardhatRefusal(poor, poor)).toBe("Sender doesn't have enough funds to send tx");
  expect(toHardhatRefusal("nonce too low", "nonce too low: next nonce 2")).toBe("Nonce too low. next nonce 2");
  expect(toHardhatRefusal("already known", "already known")).toBe("already known");
});
