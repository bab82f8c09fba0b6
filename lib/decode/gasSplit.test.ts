/**
 * Tests that gas is split into its parts according to EIP-2028, 2930, 3529, 3860, 7623 and 7702, and that the parts add
 * up.
 */
import { describe, expect, it } from "vitest";
import { type GasSplit, type OwnCall, sumGas, toGasSplit } from "@/lib/decode/gasSplit";

const to = `0x${"11".repeat(20)}` as const;
const call = { gas: "0x186a0", to, input: "0x" } as const;
const own = (given: number, used: number): OwnCall => ({
  action: { gas: `0x${given.toString(16)}` },
  result: { gasUsed: `0x${used.toString(16)}` },
});
const receipt = (gasUsed: number) => ({ gasUsed: `0x${gasUsed.toString(16)}` as const });
const toParts = ({ parts }: GasSplit) => Object.fromEntries(parts.map(({ kind, gas }) => [kind, Number(gas)]));

describe("toGasSplit", () => {
  it("shows only the base of a transfer", () => {
    const split = toGasSplit(call, receipt(21_000));
    expect(toParts(split)).toEqual({ base: 21_000 });
    expect(split.refund).toBe(0n);
  });

  it("prices zero and nonzero bytes, access lists, authorizations and creations", () => {
    const input = `0x00${"ff".repeat(2)}` as const;
    const intrinsic = 21_000 + 36;
    expect(toParts(toGasSplit({ ...call, input }, receipt(intrinsic)))).toEqual({ base: 21_000, calldata: 36 });
    const lists = {
      accessList: [{ address: to, storageKeys: [`0x${"22".repeat(32)}` as const] }],
      authorizationList: [{} as never],
    };
    expect(toParts(toGasSplit({ ...call, ...lists }, receipt(50_300)))).toEqual({
      base: 21_000,
      accessList: 4_300,
      authorizations: 25_000,
    });
    expect(toParts(toGasSplit({ ...call, to: null, input }, receipt(53_038)))).toMatchObject({ creation: 32_002 });
  });

  it("computes the refund from the gas that the code used", () => {
    const split = toGasSplit(call, receipt(40_000), own(79_000, 23_800));
    expect(toParts(split)).toEqual({ base: 21_000, execution: 23_800 });
    expect(split).toMatchObject({ refund: 4_800n, isNet: false });
  });

  it("shows the minimum charge for calldata", () => {
    const input = `0x${"ff".repeat(100)}` as const;
    const split = toGasSplit({ ...call, input }, receipt(25_000), own(100_000 - 22_600, 100));
    expect(toParts(split)).toEqual({ base: 21_000, calldata: 1_600, execution: 100, minimum: 2_300 });
    expect(sumGas(split.parts) - split.refund).toBe(split.used);
  });

  it("counts all gas as execution if it ran out, and shows only a total on forks with other prices", () => {
    const failed: OwnCall = { action: { gas: "0x13498" }, result: null, error: "Out of gas" };
    expect(toParts(toGasSplit(call, receipt(100_000), failed))).toEqual({ base: 21_000, execution: 79_000 });
    const frontier = { ...call, input: "0xff" } as const;
    expect(toParts(toGasSplit(frontier, receipt(21_168), own(78_932, 100)))).toEqual({
      intrinsic: 21_068,
      execution: 100,
    });
  });

  it("leaves the refund in the execution if the node doesn't tell them apart", () => {
    const split = toGasSplit(call, receipt(40_000), own(100_000, 40_000));
    expect(toParts(split)).toEqual({ base: 21_000, execution: 19_000 });
    expect(split.isNet).toBe(true);
  });
});
