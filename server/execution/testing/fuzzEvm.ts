/**
 * Compares two engines on one case: with plenty of gas, and with gas limits taken from the first engine's run. The
 * caller chooses the engines; `npm run fuzz:evm` compares Tollscan's engine with the reference.
 */
import type { EvmCase, EvmRun } from "@/server/execution/testing/evmCase";
import { toText } from "@/server/execution/testing/evmCase";
import { pickGasLimits } from "@/server/execution/testing/fuzzCases";
import type { GasSteps } from "@/server/execution/testing/referenceEvm";

export type FuzzEngines = {
  /** If `steps` is given, appends the gas used at each instruction to it. */
  reference(evmCase: EvmCase, steps?: GasSteps): ReturnType<EvmRun>;
  engine: EvmRun;
};

/**
 * A difference between two engines: the case, with the gas limit that reveals the difference, and both outcomes as
 * text.
 */
export type Difference = { evmCase: EvmCase; expected: string; actual: string };

/**
 * Returns the first difference, if any, and the number of runs. If an engine throws an error, that is also an outcome.
 */
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

/** A case as JSON, with bigints as strings that end in n. */
export function stringifyCase(evmCase: EvmCase): string {
  return JSON.stringify(evmCase, (_key, value) => (typeof value === "bigint" ? `${value}n` : value));
}

export function parseCase(text: string): EvmCase {
  const revive = (_key: string, value: unknown) =>
    typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  return JSON.parse(text, revive) as EvmCase;
}
