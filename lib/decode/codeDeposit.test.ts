import { describe, expect, it } from "vitest";
import { splitCodeDeposit } from "@/lib/decode/codeDeposit";

const base = { kind: "base", gas: 21_000n } as const;
const execution = { kind: "execution", gas: 17_034n } as const;

describe("splitCodeDeposit", () => {
  it("splits 200 gas per byte of code from the execution", () => {
    expect(splitCodeDeposit([base, execution], `0x${"00".repeat(85)}`)).toEqual([
      base,
      { kind: "execution", gas: 34n },
      { kind: "deposit", gas: 17_000n, sum: "85 bytes of code × 200" },
    ]);
  });

  it("keeps the parts if no code was stored, or the execution can't contain its cost", () => {
    expect(splitCodeDeposit([base, execution], undefined)).toEqual([base, execution]);
    expect(splitCodeDeposit([base, execution], "0x")).toEqual([base, execution]);
    expect(splitCodeDeposit([base, execution], `0x${"00".repeat(86)}`)).toEqual([base, execution]);
  });
});
