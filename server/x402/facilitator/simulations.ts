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

export type Simulations = {
  /**
   * Gas for the settling call when from sends it. With "remember", the result is reused until there is a new head.
   * Throws PaymentError if the call would revert; NetworkError.
   */
  run(payment: Payment, authorization: Authorization, from: Hex, remember?: "remember"): Promise<bigint>;
};

/** A call's estimated gas, and how often the estimate was used. */
type Figure = { gas: bigint; uses: number };

type Waiting = {
  payment: Payment;
  call: Call;
  from: Hex;
  /** Calls of one kind use the same gas, except for the cost of filling an empty slot. */
  kind: string;
  resolve(gas: bigint): void;
  reject(error: unknown): void;
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
/** Maximum number of successful simulations remembered until there is a new head. */
const maxPassed = 1_000;

/** Builds the simulations of one network. */
export function createSimulations(options: {
  reader: Reader;
  multicall3: Hex;
  hasMulticall: () => Promise<boolean>;
}): Simulations {
  const { reader, multicall3, hasMulticall } = options;
  const figures = new Map<string, Figure>();
  const passed = new Map<string, { head: bigint; gas: bigint }>();
  const waiting: Waiting[] = [];
  /** Kinds that are being estimated. */
  const explored = new Set<string>();
  let runs = 0;

  const findFigure = (kind: string) => {
    const figure = figures.get(kind);
    return figure && figure.uses < maxUses ? figure : undefined;
  };

  /** Estimated gas plus a margin for changes before inclusion. */
  async function estimate({ payment, call, from }: Pick<Waiting, "payment" | "call" | "from">): Promise<bigint> {
    const outcome = await reader.estimateGas({ ...call, from });
    if (!outcome.ok) throw await payment.explain(outcome.revert);
    return outcome.gas;
  }

  async function runExactly(entry: Waiting): Promise<void> {
    try {
      const gas = await estimate(entry);
      if (figures.size >= maxKinds) figures.clear();
      figures.set(entry.kind, { gas, uses: 0 });
      entry.resolve(withRoom(gas));
    } catch (error) {
      entry.reject(error);
    }
  }

  /** Runs calls whose kinds have an estimate. */
  async function runTogether(entries: readonly Waiting[]): Promise<void> {
    const calls = entries.map(({ call, kind }): GasCall => {
      const gas = withRoomForSlot(figures.get(kind)?.gas ?? 0n);
      return { to: call.to, data: call.data, gas };
    });
    let failed: readonly Waiting[] = entries;
    try {
      const succeeded = await simulateCalls(calls, entries[0]?.from as Hex);
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
    await Promise.all(failed.map(runExactly));
  }

  /** Which calls succeed when the same sender runs them one after another. */
  async function simulateCalls(calls: readonly GasCall[], from: Hex): Promise<boolean[]> {
    const { to, data, gas } = toJointCall(multicall3, calls);
    const outcome = await reader.call({ from, to, data, gas: numberToHex(gas) });
    if (calls.length === 1) return [outcome.ok];
    if (!outcome.ok) return [];
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: outcome.output });
    return results.map(({ success }) => success);
  }

  /** Estimates one call of each kind that has no figure; the others wait for its result. */
  function explore(): void {
    for (const entry of waiting.filter(({ kind }) => !findFigure(kind))) {
      if (explored.has(entry.kind)) continue;
      explored.add(entry.kind);
      waiting.splice(waiting.indexOf(entry), 1);
      void runExactly(entry).finally(() => {
        explored.delete(entry.kind);
        pump();
      });
    }
  }

  /** Takes the oldest calls that may run together. */
  async function take(): Promise<Waiting[]> {
    const limit = (await hasMulticall().catch(() => false)) ? maxTogether : 1;
    const known = waiting.filter(({ kind }) => findFigure(kind));
    const taken = known.filter(({ from }) => from === known[0]?.from).slice(0, limit);
    for (const entry of taken) waiting.splice(waiting.indexOf(entry), 1);
    return taken;
  }

  function pump(): void {
    explore();
    if (runs >= maxRuns || !waiting.some(({ kind }) => findFigure(kind))) return;
    runs += 1;
    void take()
      .then(runTogether)
      .finally(() => {
        runs -= 1;
        pump();
      });
  }

  function simulateTogether(payment: Payment, call: Call, from: Hex): Promise<bigint> {
    const kind = `${from} ${call.to} ${call.data.slice(0, 10)} ${payment.terms.asset} ${payment.terms.payee}`;
    return new Promise((resolve, reject) => {
      waiting.push({ payment, call, from, kind, resolve, reject });
      pump();
    });
  }

  return {
    async run(payment, { call, batchKey }, from, remember) {
      const key = `${from} ${call.to} ${call.data}`;
      const before = passed.get(key);
      if (before && before.head === (await reader.getBlockNumber())) return before.gas;
      // Read before the simulation: a call simulated on a later block than recorded is run again, never the reverse.
      const head = remember && reader.getBlockNumber();
      head?.catch(() => undefined);
      // A call that must be sent alone may run arbitrary code, such as a payer's own, so its gas says nothing about
      // others.
      const gas = batchKey
        ? await simulateTogether(payment, call, from)
        : withRoom(await estimate({ payment, call, from }));
      if (!head) return gas;
      if (passed.size >= maxPassed) passed.clear();
      passed.set(key, { head: await head, gas });
      return gas;
    },
  };
}

const withRoom = (gas: bigint) => (gas * 12n) / 10n;

function withRoomForSlot(gas: bigint): bigint {
  const usual = withRoom(gas);
  return usual > gas + slotGas ? usual : gas + slotGas;
}
