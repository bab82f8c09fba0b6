/** Runs a sample of the cases in `npm run fuzz:evm`, and every case that has ever failed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listCompiled } from "@/server/execution/engine";
import type { EvmCase } from "@/server/execution/testing/evmCase";
import { fuzzCase } from "@/server/execution/testing/fuzzCases";
import { type FuzzEngines, findDifference, parseCase, stringifyCase } from "@/server/execution/testing/fuzzEvm";
import { runOwn } from "@/server/execution/testing/ownEvm";
import { runReference } from "@/server/execution/testing/referenceEvm";
import { onTier, tierEngines } from "@/server/execution/testing/tiers";

const engines = { reference: runReference, engine: runOwn };
const regressions = readFileSync(join(import.meta.dirname, "testing/fuzzRegressions.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "");

/** Compares two engines on random programs. */
async function compare(compared: FuzzEngines, cuts: number, options: { numRuns: number; seed: number }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fuzzCase, async (evmCase) => {
      const { difference } = await findDifference(compared, evmCase, cuts);
      if (difference) expect(difference.actual, stringifyCase(difference.evmCase)).toBe(difference.expected);
    }),
    options,
  );
}

describe("random programs have the same outcome on our engine and the reference", { timeout: 300_000 }, () => {
  test("if our engine interprets them", () =>
    onTier("interpreted", () => compare(engines, 2, { numRuns: 1_400, seed: 20_260_101 })));
  test("if our engine compiles them", () =>
    onTier("compiled", () => compare(engines, 2, { numRuns: 600, seed: 20_260_102 })));
});

describe("random programs have the same outcome compiled and interpreted", { timeout: 300_000 }, () => {
  test("at a few gas limits", () => compare(tierEngines, 2, { numRuns: 300, seed: 20_260_103 }));
  test("at a gas limit for each instruction", () =>
    compare(tierEngines, Number.POSITIVE_INFINITY, { numRuns: 20, seed: 20_260_104 }));
  test("and none of them is left uncompiled", async () => {
    const refused = await onTier("compiled", async () => {
      for (const evmCase of fc.sample(fuzzCase, { numRuns: 60, seed: 5 })) await runOwn(evmCase);
      return listCompiled();
    });
    expect(refused).toMatchObject({ refused: 0 });
    expect(refused!.count).toBeGreaterThan(50);
  });
});

describe("cases that failed in the past", () => {
  test.each(regressions.map((line, index) => [index + 1, line] as const))("pass: line %i", async (_line, text) => {
    for (const compared of [engines, tierEngines]) {
      const { difference } = await findDifference(compared, parseCase(text), 6);
      expect(difference?.actual).toBe(difference?.expected);
    }
  });
});

describe("the fuzzer", () => {
  const cases = fc.sample(fuzzCase, { numRuns: 150, seed: 7 });

  async function countDifferences(change: (evmCase: EvmCase) => EvmCase): Promise<number> {
    let differing = 0;
    for (const evmCase of cases) {
      const engine = (each: EvmCase) => runOwn(change(each));
      const { difference } = await findDifference({ ...engines, engine }, evmCase, 1);
      if (difference) differing++;
    }
    return differing;
  }

  test("detects an engine that is off by one gas, one wei or one fork", async () => {
    const withGas = (each: EvmCase) => ({
      ...each,
      message: { ...each.message, gasLimit: each.message.gasLimit + 1n },
    });
    const withWei = (each: EvmCase) => ({ ...each, message: { ...each.message, value: each.message.value + 1n } });
    const withFork = (each: EvmCase) => (each.fork === "berlin" ? ({ ...each, fork: "istanbul" } as const) : each);
    for (const change of [withGas, withWei, withFork]) expect(await countDifferences(change)).toBeGreaterThan(0);
  });

  test("generates programs that end in every way after a reasonable number of instructions", async () => {
    const endings = new Map<string, number>();
    let instructions = 0;
    for (const evmCase of cases) {
      const steps: bigint[] = [];
      const outcome = await runReference(evmCase, steps);
      const ending = "refusal" in outcome ? "refused" : outcome.status;
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
      instructions += steps.length;
    }
    expect([...endings.keys()].sort()).toEqual(["halt", "revert", "success"]);
    expect(Math.min(...endings.values())).toBeGreaterThan(5);
    expect(instructions / cases.length).toBeGreaterThan(20);
  });

  test("parses a case back from its text without loss", () => {
    for (const evmCase of cases) expect(parseCase(stringifyCase(evmCase))).toEqual(evmCase);
  });
});
