/**
 * Simulates settlement calls in the next block and determines their gas. Calls of the same kind share an estimate and
 * run together, unless they run a payer's code. A payment is rejected only after its own call has run alone.
 */
import { decodeFunctionResult, numberToHex } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import type { Hex } from "@/lib/x402/types";
import { toJointCall } from "@/server/x402/facilitator/batcher";
import { readFees } from "@/server/x402/facilitator/relayer";
import type { Call, Fees, Reader } from "@/server/x402/reads/reader";
import type { Authorization, Payment } from "@/server/x402/schemes/scheme";

type Simulation = { payment: Payment; call: Call; from: Hex };

type Waiting = Simulation & {
  kind: string;
  /** The estimated gas for calls of this kind, plus a margin. */
  gas: bigint;
  resolve(gas: bigint): void;
  reject(error: unknown): void;
};

export type Simulations = {
  reader: Reader;
  multicall3: Hex;
  /** Maximum gas price of the transactions that will send the calls. */
  maxFeeWei: bigint | undefined;
  /** The estimate for each kind of call, and how often it was used. Failed estimates are dropped. */
  estimates: Map<string, { gas: Promise<bigint>; uses: number }>;
  /** Successful simulations of verified payments. Each is valid until the head changes. */
  passed: Map<string, { head: bigint; gas: bigint }>;
  waiting: Waiting[];
  runs: number;
};

/**
 * An estimate is renewed after this many uses. It may come from the first payment to a payee, which costs more gas than
 * later ones.
 */
const maxUses = 100;
const maxKinds = 1_000;
/**
 * Maximum number of calls that are simulated together. It keeps their total gas below the limit that nodes set for one
 * call.
 */
const maxTogether = 50;
/** Maximum number of simulations that run at the same time. Calls that have to wait are batched. */
const maxRuns = 2;
/**
 * A storage slot may have been emptied since the gas was estimated. Filling it costs 17,100 more gas (EIP-2200,
 * EIP-2929).
 */
const slotGas = 20_000n;
const maxPassed = 1_000;

export function createSimulations(network: Pick<Simulations, "reader" | "multicall3" | "maxFeeWei">): Simulations {
  return { ...network, estimates: new Map(), passed: new Map(), waiting: [], runs: 0 };
}

/**
 * Returns the gas that the settlement call needs if `from` sends it. For "verify", the result is reused until the head
 * changes. Throws PaymentError if the call would revert, or NetworkError.
 */
export async function simulate(
  simulations: Simulations,
  payment: Payment,
  { call, batchKey, payerHasCode }: Authorization,
  from: Hex,
  purpose: "verify" | "settle",
): Promise<bigint> {
  const { reader, passed } = simulations;
  const simulation = { payment, call, from };
  if (payerHasCode) return simulateExactly(simulations, simulation);
  const key = `${from} ${call.to} ${call.data}`;
  const before = passed.get(key);
  if (before && before.head === (await reader.getBlockNumber())) return before.gas;
  // The head is read before the simulation. If a block arrives in between, the only effect is that the call is
  // simulated again next time.
  const head = purpose === "verify" ? reader.getBlockNumber() : undefined;
  head?.catch(() => undefined);
  const gas = batchKey ? await simulateKind(simulations, simulation) : withRoom(await estimate(reader, simulation));
  if (!head) return gas;
  if (passed.size >= maxPassed) passed.clear();
  passed.set(key, { head: await head, gas });
  return gas;
}

/**
 * Runs a call with the same gas and fees that its transaction will have. A payer's code can read both, so its result
 * may depend on them.
 */
async function simulateExactly(simulations: Simulations, { payment, call, from }: Simulation): Promise<bigint> {
  const { reader } = simulations;
  const priced = { ...call, from, ...toWireFees(await readFees(simulations)) };
  const gas = withRoom(await estimate(reader, { payment, call: priced, from }));
  const outcome = await reader.simulate({ ...priced, gas: numberToHex(gas) });
  if (!outcome.ok) throw await payment.explain(outcome.revert);
  return gas;
}

function toWireFees(fees: Fees): Fees<Hex> {
  if ("gasPrice" in fees) return { gasPrice: numberToHex(fees.gasPrice) };
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return { maxFeePerGas: numberToHex(maxFeePerGas), maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) };
}

async function estimate(reader: Reader, { payment, call, from }: Simulation): Promise<bigint> {
  const outcome = await reader.estimateGas({ ...call, from });
  if (!outcome.ok) throw await payment.explain(outcome.revert);
  return outcome.gas;
}

/**
 * Calls of the same kind use the same gas, except for the cost of filling an empty slot. So only one call is estimated,
 * and the others run with its gas.
 */
async function simulateKind(simulations: Simulations, simulation: Simulation): Promise<bigint> {
  const { payment, call, from } = simulation;
  const kind = `${from} ${call.to} ${call.data.slice(0, 10)} ${payment.terms.asset} ${payment.terms.payee}`;
  for (;;) {
    const known = simulations.estimates.get(kind);
    if (!known || known.uses >= maxUses) return withRoom(await estimateKind(simulations, kind, simulation));
    const gas = await known.gas.catch(() => undefined);
    // The failed estimate was for a different call, so this call may still succeed.
    if (gas === undefined) continue;
    known.uses += 1;
    return new Promise((resolve, reject) => {
      simulations.waiting.push({ ...simulation, kind, gas: withRoomForSlot(gas), resolve, reject });
      pump(simulations);
    });
  }
}

async function estimateKind({ reader, estimates }: Simulations, kind: string, simulation: Simulation): Promise<bigint> {
  const entry = { gas: estimate(reader, simulation), uses: 0 };
  if (estimates.size >= maxKinds) estimates.clear();
  estimates.set(kind, entry);
  try {
    return await entry.gas;
  } catch (error) {
    if (estimates.get(kind) === entry) estimates.delete(kind);
    throw error;
  }
}

function pump(simulations: Simulations): void {
  if (simulations.runs >= maxRuns || simulations.waiting.length === 0) return;
  simulations.runs += 1;
  void runTogether(simulations).finally(() => {
    simulations.runs -= 1;
    pump(simulations);
  });
}

/** Runs the oldest calls that can share a simulation. Each call that fails is then estimated on its own. */
async function runTogether(simulations: Simulations): Promise<void> {
  const { reader, multicall3, waiting } = simulations;
  const limit = (await reader.isContract(multicall3).catch(() => false)) ? maxTogether : 1;
  const entries = waiting.filter(({ from }) => from === waiting[0]?.from).slice(0, limit);
  for (const entry of entries) waiting.splice(waiting.indexOf(entry), 1);
  // If a node rejects the batch, it may still accept single calls. Running a call alone also shows the call's own
  // error.
  const succeeded = await simulateCalls(simulations, entries).catch(() => []);
  await Promise.all(
    entries.map((entry, at) => {
      if (succeeded[at]) return entry.resolve(entry.gas);
      return renewEstimate(simulations, entry).then(entry.resolve, entry.reject);
    }),
  );
}

/** Estimates a call alone and replaces its kind's estimate. If the call fails again, the old estimate stays. */
async function renewEstimate({ reader, estimates }: Simulations, entry: Waiting): Promise<bigint> {
  const gas = await estimate(reader, entry);
  estimates.set(entry.kind, { gas: Promise.resolve(gas), uses: 0 });
  return withRoom(gas);
}

/** Runs the calls in order from one sender, and returns which of them succeed. */
async function simulateCalls({ reader, multicall3 }: Simulations, entries: readonly Waiting[]): Promise<boolean[]> {
  const [first] = entries;
  if (!first) return [];
  const { to, data, gas } = toJointCall(
    multicall3,
    entries.map(({ call, gas }) => ({ to: call.to, data: call.data, gas })),
  );
  const outcome = await reader.simulate({ from: first.from, to, data, gas: numberToHex(gas) });
  if (entries.length === 1) return [outcome.ok];
  if (!outcome.ok) return [];
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: outcome.output });
  return results.map(({ success }) => success);
}

/** Adds a margin, because the state may change before inclusion. */
const withRoom = (gas: bigint) => (gas * 12n) / 10n;

function withRoomForSlot(gas: bigint): bigint {
  const usual = withRoom(gas);
  return usual > gas + slotGas ? usual : gas + slotGas;
}
