import { concatHex, encodeErrorResult, type Hex, padHex, parseAbi, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { describeCustomError, findRevertReason } from "@/server/ethereum/revertReason";

const read = (reason: string) =>
  findRevertReason(
    toBytes(encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [reason] })),
  );

it("shortens a contract's reason and removes characters that hide or reorder the surrounding text", () => {
  expect(read("Dai/insufficient-balance")).toBe("Dai/insufficient-balance");
  expect(read("sent\u202e\u2066 to\r\n\u0007you\u200f")).toBe("sent to you");
  expect(read("x".repeat(100_000))).toBe(`${"x".repeat(999)}…`);
});

describe("data without a reason", () => {
  const abi = parseAbi(["error FailedOp(uint256 index, string reason)"]);
  const failedOp = encodeErrorResult({ abi, errorName: "FailedOp", args: [0n, "AA24 signature error"] });
  const account = padHex("0x1234567890123456789012345678901234567890", { size: 32 });
  const one = padHex("0x01", { size: 32 });

  it.each<[string, Hex, string | undefined]>([
    ["a custom error with text", failedOp, "custom error 0x220266b6: @AA24 signature error"],
    [
      "a custom error with an address",
      concatHex(["0x118cdaa7", account]),
      `custom error 0x118cdaa7: ${account.slice(2)}`,
    ],
    ["a custom error with a small number", concatHex(["0x118cdaa7", one]), `custom error 0x118cdaa7: ${one.slice(2)}`],
    ["a custom error without arguments", "0x756688fe", "custom error 0x756688fe"],
    ["text that isn't encoded", stringToHex("not today"), "not today"],
    ["less than a selector", "0x616263", undefined],
    ["no data", "0x", undefined],
  ])("describes %s as anvil does", (_, data, description) => {
    expect(describeCustomError(toBytes(data))).toBe(description);
  });

  it("shortens a custom error's data", () => {
    const long = describeCustomError(toBytes(concatHex(["0x118cdaa7", `0x${"ff".repeat(10_000)}`])));
    expect(long).toHaveLength("custom error 0x118cdaa7: ".length + 1_000);
  });
});
