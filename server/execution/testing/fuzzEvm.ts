/**
 * Holds two engines against each other on one case: with plenty of gas, and cut short where the first engine's run
 * says it hurts. Which engines they are is the caller's; `npm run fuzz:evm` compares ours with the reference.
 */
import type { EvmCase, EvmRun } from "@/server/execution/testing/evmCase";
import { toText } from "@/server/execution/testing/evmCase";
import { pickGasLimits } from "@/server/execution/testing/fuzzCases";
import type { GasSteps } from "@/server/execution/testing/referenceEvm";

export type FuzzEngines = {
  /** Also says where its run spent its gas. */
  reference(evmCase: EvmCase, steps?: GasSteps): ReturnType<EvmRun>;
  engine: EvmRun;
};

/** Where two engines part: the case with the gas limit at which they do, and both outcomes as text. */
export type Difference = { evmCase: EvmCase; expected: string; actual: string };

/** The first difference, if there is any, and the number of runs. An error that an engine throws is an outcome too. */
export async function findDifference(
  { reference, engine }: FuzzEngines,
  evmCase: EvmCase,
  cuts: number,
): Promise<{ difference?: Difference; runs: number }> {
  const steps: GasSteps = [];
  const outcome = await reference(evmCase, steps);
  const first = await compare(engine, evmCase, toText(outcome));
  if (first || "refusal" in outcome) return { ...(first ? { difference: first } : {}), runs: 1 };
  const limits = pickGasLimits(evmCase, steps, outcome.gasSpent, cuts);
  for (const [index, gasLimit] of limits.entries()) {
    const cut = { ...evmCase, message: { ...evmCase.message, gasLimit } };
    const difference = await compare(engine, cut, toText(await reference(cut)));
    if (difference) return { difference, runs: index + 2 };
  }
  return { runs: limits.length + 1 };
}

async function compare(engine: EvmRun, evmCase: EvmCase, expected: string): Promise<Difference | undefined> {
  const actual = await engine(evmCase).then(toText, (error) => `threw ${error instanceof Error ? error.stack : error}`);
  return actual === expected ? undefined : { evmCase, expected, actual };
}

/** A case as JSON, with its integers as strings that end in n. */
export function stringifyCase(evmCase: EvmCase): string {
  return JSON.stringify(evmCase, (_key, value) => (typeof value === "bigint" ? `${value}n` : value));
}

export function parseCase(text: string): EvmCase {
  const revive = (_key: string, value: unknown) =>
    typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  return JSON.parse(text, revive) as EvmCase;
}
