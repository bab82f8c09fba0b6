/** Tests the fee rules against values calculated from the EIPs. */
import { describe, expect, it } from "vitest";
import { toRewards, toTips } from "@/server/chain/feeReader";
import { blobBaseFee, effectiveTip, nextBaseFee, nextExcessBlobGas, toExcessBlobGas } from "@/server/ethereum/fees";
import { activeFork, findBlobParameters, isForkActive } from "@/server/ethereum/forks";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Header, Transaction } from "@/server/ethereum/types";

const osaka = toEmbeddedSpec(1);
const spec = (change: Partial<ChainSpec>): ChainSpec => ({ ...osaka, ...change });
const at = { number: 1, timestamp: 1 };
const blob = 131_072n;

function parent(change: Partial<Header>): Header {
  return { gasLimit: 20_000_000n, gasUsed: 10_000_000n, baseFeePerGas: 10n ** 9n, number: 0, ...change } as Header;
}

describe("forks", () => {
  const mixed = spec({
    forks: [
      { fork: "frontier", block: 0 },
      { fork: "london", block: 5 },
      { fork: "paris", block: 10 },
      { fork: "cancun", timestamp: 100 },
    ],
    blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 1n } },
  });

  it("start at a block number before the merge and at a time after it, and include all earlier forks", () => {
    expect(activeFork(mixed, { number: 4, timestamp: 99 })).toBe("frontier");
    expect(activeFork(mixed, { number: 5, timestamp: 99 })).toBe("london");
    expect(isForkActive(mixed, "berlin", { number: 5, timestamp: 0 })).toBe(true);
    expect(isForkActive(mixed, "shanghai", { number: 10, timestamp: 99 })).toBe(false);
    expect(isForkActive(mixed, "shanghai", { number: 10, timestamp: 100 })).toBe(true);
    expect(findBlobParameters(mixed, { number: 10, timestamp: 99 })).toBeUndefined();
    expect(findBlobParameters(mixed, { number: 10, timestamp: 100 })?.target).toBe(3);
  });
});

describe("the next base fee", () => {
  it.each<[string, Partial<Header>, Partial<ChainSpec["fees"]>, bigint]>([
    ["stays at the target", {}, {}, 1_000_000_000n],
    ["falls an eighth after an empty block", { gasUsed: 0n }, {}, 875_000_000n],
    ["rises an eighth after a full block", { gasUsed: 20_000_000n }, {}, 1_125_000_000n],
    ["moves in proportion between", { gasUsed: 9_000_000n }, {}, 987_500_000n],
    ["rises by one wei at least", { gasUsed: 10_000_001n, baseFeePerGas: 7n }, {}, 8n],
    ["stops falling at the floor", { gasUsed: 0n }, { baseFeeFloorWei: 900_000_000n }, 900_000_000n],
    ["starts at 1 gwei with London", { baseFeePerGas: undefined as never }, {}, 1_000_000_000n],
  ])("%s", (_, header, fees, expected) => {
    const rules = spec({ fees: { ...osaka.fees, ...fees } });
    const before = parent(header);
    if (header.baseFeePerGas === undefined && "baseFeePerGas" in header) delete before.baseFeePerGas;
    expect(nextBaseFee(rules, before, at)).toBe(expected);
  });

  it("is undefined before London", () => {
    expect(nextBaseFee(spec({ forks: [{ fork: "berlin", block: 0 }] }), parent({}), at)).toBeUndefined();
  });
});

describe("blob fees", () => {
  const withFraction = (baseFeeUpdateFraction: bigint) =>
    spec({ blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction } } });

  it.each<[bigint, bigint, bigint]>([
    [0n, 2n, 1n],
    // The expected values are e^2, e^3, e^2.5 and about e^22.5, rounded down at each step of EIP-4844's integer series.
    [2n, 1n, 6n],
    [3n, 1n, 16n],
    [5n, 2n, 11n],
    [50_000_000n, 2_225_652n, 5_709_098_764n],
  ])("prices an excess of %d with update fraction %d", (excess, fraction, fee) => {
    expect(blobBaseFee(withFraction(fraction), at, excess)).toBe(fee);
  });

  it("finds the smallest excess blob gas for a price", () => {
    for (const fee of [1n, 2n, 1_000_000n]) {
      const excess = toExcessBlobGas(osaka, at, fee);
      expect(blobBaseFee(osaka, at, excess)).toBeGreaterThanOrEqual(fee);
      if (excess > 0n) expect(blobBaseFee(osaka, at, excess - 1n)).toBeLessThan(fee);
    }
  });

  it("raises the excess above the target and lowers it to zero below (EIP-4844)", () => {
    const prague = spec({ forks: [{ fork: "prague", timestamp: 0 }] });
    const next = (excess: bigint, used: bigint) =>
      nextExcessBlobGas(prague, parent({ excessBlobGas: excess, blobGasUsed: used * blob }), at);
    expect(next(0n, 6n)).toBe(0n);
    expect(next(0n, 9n)).toBe(3n * blob);
    expect(next(blob, 0n)).toBe(0n);
    expect(next(10n * blob, 0n)).toBe(4n * blob);
  });

  it("keeps the excess if execution costs more than blobs (EIP-7918)", () => {
    const header = (baseFeePerGas: bigint, used: bigint) =>
      parent({ baseFeePerGas, excessBlobGas: 10n * blob, blobGasUsed: used * blob });
    // With a base fee of 1 gwei, EIP-7918's reserve price is above a blob price of 1 wei. With a base fee of 1 wei, it
    // isn't.
    expect(nextExcessBlobGas(osaka, header(10n ** 9n, 0n), at)).toBe(10n * blob);
    expect(nextExcessBlobGas(osaka, header(10n ** 9n, 9n), at)).toBe(13n * blob);
    expect(nextExcessBlobGas(osaka, header(1n, 0n), at)).toBe(4n * blob);
  });
});

describe("effectiveTip", () => {
  const transaction = (change: Partial<Transaction>) => change as Transaction;
  it("is the max fee minus the base fee, but at most the max priority fee", () => {
    expect(effectiveTip(transaction({ maxFeePerGas: 10n, maxPriorityFeePerGas: 3n }), 5n)).toBe(3n);
    expect(effectiveTip(transaction({ maxFeePerGas: 10n, maxPriorityFeePerGas: 3n }), 9n)).toBe(1n);
    expect(effectiveTip(transaction({ gasPrice: 10n }), 12n)).toBe(-2n);
  });
});

describe("toRewards", () => {
  it("weights each tip by the gas that paid it", () => {
    const tips = [
      { tip: 1n, gasUsed: 10n },
      { tip: 5n, gasUsed: 80n },
      { tip: 9n, gasUsed: 10n },
    ];
    expect(toRewards(toTips(tips), 100n, [0, 10, 11, 50, 90, 91, 100])).toEqual([1n, 1n, 5n, 5n, 5n, 9n, 9n]);
    expect(toRewards(toTips([]), 0n, [10, 20])).toEqual([0n, 0n]);
  });
});
