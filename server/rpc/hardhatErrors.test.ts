import { encodeErrorResult, parseAbi } from "viem";
import { expect, it } from "vitest";
import type { RefusalReason } from "@/server/ethereum/errors";
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
  const large = { kind: "halt", message: "max code size exceeded" } as const;
  const halt = { kind: "halt", message: "invalid opcode: INVALID" } as const;
  expect(toHardhatFailure({ failure: revert, output: "0x" })).toBe("Transaction reverted without a reason string");
  expect(toHardhatFailure({ failure: outOfGas, output: "0x" })).toBe("Transaction ran out of gas");
  expect(toHardhatFailure({ failure: large, output: "0x" })).toBe(
    "Transaction reverted: trying to deploy a contract whose code is too large",
  );
  expect(toHardhatFailure({ failure: halt, output: "0x" })).toBe(`${prefix} invalid opcode: INVALID`);
});

it.each<[RefusalReason, string, string]>([
  [
    "insufficient funds for gas * price + value",
    "balance 1, transaction cost 2",
    "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
  ],
  ["nonce too low", "next nonce 2, transaction nonce 1", "Nonce too low. Expected nonce to be 2 but got 1."],
  ["intrinsic gas too low", "have 1, want 21000", "Transaction requires at least 21000 gas but got 1"],
  [
    "transaction gas limit too high",
    "have 17825792, cap 16777216",
    "Transaction gas limit is 17825792 and exceeds transaction gas cap of 16777216",
  ],
  [
    "max fee per gas less than block base fee",
    "maxFeePerGas 1, baseFee 9",
    "Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 9",
  ],
  [
    "max priority fee per gas higher than max fee per gas",
    "maxPriorityFeePerGas 2, maxFeePerGas 1",
    "maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)",
  ],
  ["already known", "1 and 2", "already known: 1 and 2"],
])("describes the refusal %s as Hardhat does", (reason, detail, words) => {
  expect(toHardhatRefusal(reason, `${reason}: ${detail}`)).toBe(words);
});

it("describes a refusal without details as Hardhat does, and leaves other refusals unchanged", () => {
  const poor = "insufficient funds for gas * price + value";
  expect(toHardhatRefusal(poor, poor)).toBe("Sender doesn't have enough funds to send tx");
  expect(toHardhatRefusal("intrinsic gas too low", "intrinsic gas too low")).toBe("intrinsic gas too low");
});
