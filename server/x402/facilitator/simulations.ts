/**
 * Simulates settling calls on the latest block before sending them, and determines their gas: an exact estimate now and
 * then, and in between batched runs with that figure. Invariant: only its own exact run can refuse a payment.
 */
import { decodeFunctionResult, numberToHex } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import type { Hex } from "@/lib/x402/types";
import { toJointCall } from "@/server/x402/facilitator/batcher";
import type { GasCall } from "@/server/x402/facilitator/relayer";
import type { Call, Reader } from "@/server/x402/reads/reader";
import type { Authorization, Payment } from "@/server/x402/schemes/scheme";

type Simulation = { payment: Payment; call: Call; from: Hex };

type Waiting = Simulation & {
  /** Calls of one kind use the same gas, except for the cost of filling an empty slot. */
  kind: string;
  resolve(gas: bigint): void;
  reject(error: unknown): void;
};

export type Simulations = {
  reader: Reader;
  multicall3: Hex;
  /** By kind: a call's estimated gas, and how often the estimate was used. */
  figures: Map<string, { gas: bigint; uses: number }>;
  /** Kinds that are being estimated. */
  explored: Set<string>;
  /** Successful simulations of verified payments, each valid until there is a new head. */
  passed: Map<string, { head: bigint; gas: bigint }>;
  waiting: Waiting[];
  runs: number;
};

/** An estimate is renewed after this many uses: the first payment to a payee costs more gas than later ones. */
const maxUses = 100;
const maxKinds = 1_000;
/** Maximum number of calls simulated together, so that their gas stays within what nodes allow a call. */
const maxTogether = 50;
/** Maximum number of concurrent runs; calls that wait for a run can be batched. */
const maxRuns = 2;
/** Filling a slot that was emptied since the estimate costs 17,100 more gas (EIP-2200, EIP-2929). */
const slotGas = 20_000n;
const maxPassed = 1_000;

/** Builds the simulations of one network. */
export function createSimulations(reader: Reader, multicall3: Hex): Simulations {
  return { reader, multicall3, figures: new Map(), explored: new Set(), passed: new Map(), waiting: [], runs: 0 };
}

/**
 * Gas for the settling call when from sends it. A result for "verify" is reused until there is a new head. Throws
 * PaymentError if the call would revert; NetworkError.
 */
export async function simulate(
  simulations: Simulations,
  payment: Payment,
  { call, batchKey }: Authorization,
  from: Hex,
  purpose: "verify" | "settle",
): Promise<bigint> {
  const { reader, passed } = simulations;
  const key = `${from} ${call.to} ${call.data}`;
  const before = passed.get(key);
  if (before && before.head === (await reader.getBlockNumber())) return before.gas;
  // Read before the simulation: a call simulated on a later block than recorded is run again, never the reverse.
  const head = purpose === "verify" ? reader.getBlockNumber() : undefined;
  head?.catch(() => undefined);
  const simulation = { payment, call, from };
  // A call that must be sent alone may run arbitrary code, such as a payer's own, so its gas says nothing about others.
  const gas = batchKey ? await simulateTogether(simulations, simulation) : withRoom(await estimate(reader, simulation));
  if (!head) return gas;
  if (passed.size >= maxPassed) passed.clear();
  passed.set(key, { head: await head, gas });
  return gas;
}

async function estimate(reader: Reader, { payment, call, from }: Simulation): Promise<bigint> {
  const outcome = await reader.estimateGas({ ...call, from });
  if (!outcome.ok) throw await payment.explain(outcome.revert);
  return outcome.gas;
}

function simulateTogether(simulations: Simulations, simulation: Simulation): Promise<bigint> {
  const { payment, call, from } = simulation;
  const kind = `${from} ${call.to} ${call.data.slice(0, 10)} ${payment.terms.asset} ${payment.terms.payee}`;
  return new Promise((resolve, reject) => {
    simulations.waiting.push({ ...simulation, kind, resolve, reject });
    pump(simulations);
  });
}

function pump(simulations: Simulations): void {
  explore(simulations);
  if (simulations.runs >= maxRuns || !simulations.waiting.some(({ kind }) => hasFigure(simulations, kind))) return;
  simulations.runs += 1;
  void takeKnown(simulations)
    .then((taken) => runTogether(simulations, taken))
    .finally(() => {
      simulations.runs -= 1;
      pump(simulations);
    });
}

function hasFigure({ figures }: Simulations, kind: string): boolean {
  const figure = figures.get(kind);
  return figure !== undefined && figure.uses < maxUses;
}

/** Estimates one call of each kind that has no figure; the others wait for its result. */
function explore(simulations: Simulations): void {
  const { waiting, explored } = simulations;
  for (const entry of waiting.filter(({ kind }) => !hasFigure(simulations, kind))) {
    if (explored.has(entry.kind)) continue;
    explored.add(entry.kind);
    waiting.splice(waiting.indexOf(entry), 1);
    void runExactly(simulations, entry).finally(() => {
      explored.delete(entry.kind);
      pump(simulations);
    });
  }
}

async function runExactly({ reader, figures }: Simulations, entry: Waiting): Promise<void> {
  try {
    const gas = await estimate(reader, entry);
    if (figures.size >= maxKinds) figures.clear();
    figures.set(entry.kind, { gas, uses: 0 });
    entry.resolve(withRoom(gas));
  } catch (error) {
    entry.reject(error);
  }
}

/** Takes the oldest calls that may run together. */
async function takeKnown(simulations: Simulations): Promise<Waiting[]> {
  const { reader, multicall3, waiting } = simulations;
  const limit = (await reader.isContract(multicall3).catch(() => false)) ? maxTogether : 1;
  const known = waiting.filter(({ kind }) => hasFigure(simulations, kind));
  const taken = known.filter(({ from }) => from === known[0]?.from).slice(0, limit);
  for (const entry of taken) waiting.splice(waiting.indexOf(entry), 1);
  return taken;
}

/** Runs calls whose kinds have an estimate. */
async function runTogether(simulations: Simulations, entries: readonly Waiting[]): Promise<void> {
  const { figures } = simulations;
  const calls = entries.map(({ call: { to, data }, kind }) => ({
    to,
    data,
    gas: withRoomForSlot(figures.get(kind)?.gas ?? 0n),
  }));
  let failed: readonly Waiting[] = entries;
  try {
    const succeeded = await simulateCalls(simulations, calls, entries[0]?.from as Hex);
    failed = entries.filter((_, at) => succeeded[at] !== true);
    for (const [at, { kind, resolve }] of entries.entries()) {
      if (succeeded[at] !== true) continue;
      const figure = figures.get(kind);
      if (figure) figure.uses += 1;
      resolve(calls[at]?.gas as bigint);
    }
  } catch {
    // A node may refuse several calls at once but accept a single one; each call's own run reports its errors.
  }
  await Promise.all(failed.map((entry) => runExactly(simulations, entry)));
}

/** Which calls succeed when the same sender runs them one after another. */
async function simulateCalls(
  { reader, multicall3 }: Simulations,
  calls: readonly GasCall[],
  from: Hex,
): Promise<boolean[]> {
  const { to, data, gas } = toJointCall(multicall3, calls);
  const outcome = await reader.call({ from, to, data, gas: numberToHex(gas) });
  if (calls.length === 1) return [outcome.ok];
  if (!outcome.ok) return [];
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: outcome.output });
  return results.map(({ success }) => success);
}

/** A margin for changes before inclusion. */
const withRoom = (gas: bigint) => (gas * 12n) / 10n;

function withRoomForSlot(gas: bigint): bigint {
  const usual = withRoom(gas);
  return usual > gas + slotGas ? usual : gas + slotGas;
}
