/**
 * Simulates settling calls on the latest block before they are paid for, and finds the gas to give them: an exact estimate
 * now and then, and in between a run of many calls at once with that figure. Invariant: only an exact run of its own
 * refuses a payment.
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
   * Gas to give the settling call when from sends it. With "remember", the answer stands until there is a new head.
   * Throws PaymentError if the call would revert; NetworkError.
   */
  run(payment: Payment, authorization: Authorization, from: Hex, remember?: "remember"): Promise<bigint>;
};

/** A call's gas as it was estimated, and how often that was relied on. */
type Figure = { gas: bigint; uses: number };

type Waiting = {
  payment: Payment;
  call: Call;
  from: Hex;
  /** Calls of one kind take the same gas but for what a slot costs that was empty. */
  kind: string;
  resolve(gas: bigint): void;
  reject(error: unknown): void;
};

/** A figure is found out anew after so many uses: the first payment to somebody is dearer than those that follow. */
const maxUses = 100;
const maxKinds = 1_000;
/** Calls that are simulated together at most: with their gas within what nodes give a call. */
const maxTogether = 50;
/** Runs under way; one more gives what waits the time to become many. */
const maxRuns = 2;
/** A slot that has become empty since the figure was found takes 17,100 more to be filled (EIP-2200, EIP-2929). */
const slotGas = 20_000n;
/** Successful simulations that are kept until there is a new head. */
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
  /** Kinds of which a figure is being found out. */
  const explored = new Set<string>();
  let runs = 0;

  const findFigure = (kind: string) => {
    const figure = figures.get(kind);
    return figure && figure.uses < maxUses ? figure : undefined;
  };

  /** Gas with room for what may change until it is in a block. */
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

  /** Those for whose kind there is a figure. */
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
      // A node may refuse several where it takes one; what is wrong is said of each by its own run.
    }
    await Promise.all(failed.map(runExactly));
  }

  /** Which of the calls succeed, run one after another by the same sender. */
  async function simulateCalls(calls: readonly GasCall[], from: Hex): Promise<boolean[]> {
    const { to, data, gas } = toJointCall(multicall3, calls);
    const outcome = await reader.call({ from, to, data, gas: numberToHex(gas) });
    if (calls.length === 1) return [outcome.ok];
    if (!outcome.ok) return [];
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: outcome.output });
    return results.map(({ success }) => success);
  }

  /** Of every kind that has no figure one is run exactly; the others wait for what it finds. */
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

  /** The oldest that may run together. */
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
      // Read before the simulation: a call simulated on a later block than recorded runs once more, never the reverse.
      const head = remember && reader.getBlockNumber();
      head?.catch(() => undefined);
      // What is to go alone may run any code, a payer's own perhaps, of which no figure is to be made.
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
