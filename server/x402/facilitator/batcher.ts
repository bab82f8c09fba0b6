/**
 * Batches settlements into transactions from one account. Settlements that arrive while a transaction is in flight
 * share the next one through Multicall3, where each call succeeds or fails independently; calls that must come from the
 * account itself are sent alone. Invariant: before a transaction is sent, the ledger records it for all of its
 * payments.
 */
import { encodeFunctionData } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { type Ledger, recordTransaction } from "@/server/x402/facilitator/ledger";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";
import {
  type GasCall,
  type NewTransaction,
  type Relayer,
  sendCall,
  type TransactionResult,
} from "@/server/x402/facilitator/relayer";

type BatchEntry = {
  payment: FacilitatorPayment;
  /** `gas` is the gas that the call uses when it is sent alone. */
  call: GasCall;
  /** Settlements with the same key never share a transaction. A settlement without a key is sent alone. */
  batchKey: string | undefined;
  /** The transaction that failed to settle this payment earlier, if any. */
  replaces?: Hex | undefined;
};

type BatchedTransaction = { transaction: Hex; result: TransactionResult; batch: PaymentRecord["batch"] };

/** Thrown if another attempt, possibly in another instance, claimed the payment before this attempt was sent. */
class TakenError extends Error {
  override name = "TakenError";
  readonly code = "PAYMENT_TAKEN";
}

type BatcherOptions = {
  relayer: Relayer;
  ledger: Ledger;
  multicall3: Hex;
  /** Maximum number of payments in one transaction. */
  maxBatch: number;
  /** How long settlements may wait to be batched while another transaction is in flight. */
  gatherMs: number;
  onBatch: (size: number) => void;
};

type Waiting = {
  entry: BatchEntry;
  sinceMs: number;
  resolve(sent: BatchedTransaction): void;
  reject(error: unknown): void;
};

export type Batcher = BatcherOptions & {
  waiting: Waiting[];
  batchesInFlight: number;
  entriesInFlight: number;
  /**
   * True while a batch waits for its nonce and signature. A formed batch can't grow, so other settlements keep waiting
   * and the next batch becomes larger.
   */
  isSigning: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/** Maximum gas of one transaction, well below a block's gas limit. */
const maxBatchGas = 6_000_000n;
/** The gas that a transaction uses before its first instruction runs. */
const intrinsicGas = 21_000n;
/**
 * The gas that aggregate3 adds per transaction and per call, for its loop, for copying, and for the calldata around
 * each call.
 */
const aggregateGas = 30_000n;
const aggregateGasPerCall = 8_000n;

export function createBatcher(options: BatcherOptions): Batcher {
  return { ...options, waiting: [], batchesInFlight: 0, entriesInFlight: 0, isSigning: false, timer: undefined };
}

/** The number of settlements that are waiting or in flight. */
export function getLoad({ waiting, entriesInFlight }: Batcher): number {
  return waiting.length + entriesInFlight;
}

/** Rejects with TakenError, NetworkError, or any error from the ledger. Nothing was sent in any of these cases. */
export function sendInBatch(batcher: Batcher, entry: BatchEntry): Promise<BatchedTransaction> {
  return new Promise((resolve, reject) => {
    const waiting = { entry, sinceMs: Date.now(), resolve, reject };
    if (entry.batchKey === undefined) {
      void send(batcher, [waiting], () => undefined);
      return;
    }
    batcher.waiting.push(waiting);
    pump(batcher);
  });
}

/** Sends the next batch, or sets a timer if it should still wait for more settlements. */
function pump(batcher: Batcher): void {
  clearTimeout(batcher.timer);
  const oldest = batcher.waiting[0];
  if (!oldest || batcher.isSigning) return;
  const waitMs = batcher.batchesInFlight === 0 ? 0 : oldest.sinceMs + batcher.gatherMs - Date.now();
  if (waitMs > 0 && batcher.waiting.length < batcher.maxBatch) {
    batcher.timer = setTimeout(pump, waitMs, batcher);
    return;
  }
  void sendBatch(batcher);
}

async function sendBatch(batcher: Batcher): Promise<void> {
  const { relayer, multicall3, maxBatch } = batcher;
  batcher.batchesInFlight++;
  batcher.isSigning = true;
  let isSigned = false;
  const onSigned = () => {
    if (isSigned) return;
    isSigned = true;
    batcher.isSigning = false;
    pump(batcher);
  };
  const hasMulticall = await relayer.reader.isContract(multicall3).catch(() => false);
  const left = await send(batcher, takeBatch(batcher.waiting, hasMulticall ? maxBatch : 1), onSigned);
  batcher.waiting.unshift(...left);
  onSigned();
  batcher.batchesInFlight--;
  pump(batcher);
}

/** Dequeues the oldest settlements that may share a transaction. */
function takeBatch(waiting: Waiting[], limit: number): Waiting[] {
  const taken: Waiting[] = [];
  const keys = new Set<string>();
  let gas = 0n;
  for (const each of [...waiting]) {
    const { batchKey, call } = each.entry;
    if (taken.length >= limit) break;
    if (batchKey === undefined || keys.has(batchKey) || (taken.length > 0 && gas + call.gas > maxBatchGas)) continue;
    keys.add(batchKey);
    gas += call.gas;
    taken.push(each);
    waiting.splice(waiting.indexOf(each), 1);
  }
  return taken;
}

/**
 * Sends one transaction. If other attempts claimed some of its payments, rejects those payments and returns the rest
 * for the next batch.
 */
async function send(batcher: Batcher, members: Waiting[], onSigned: () => void): Promise<Waiting[]> {
  const { relayer, ledger, multicall3, onBatch } = batcher;
  const size = members.length;
  const toBatch = (index: number) => (size === 1 ? undefined : { size, index });
  let taken: Hex[] = [];
  /**
   * The transaction that the relayer signed last for these payments, if any. If the relayer signs another one for them,
   * this one can't be included.
   */
  let replaced: Hex | undefined;
  batcher.entriesInFlight += size;
  const recordSigned = async ({ hash, raw, allotment }: NewTransaction) => {
    const recorded = members.map(({ entry: { payment, replaces } }, index) => ({
      payment,
      batch: toBatch(index),
      replaces: replaced ?? replaces,
    }));
    taken = await recordTransaction(ledger, recorded, { transaction: hash, raw, allotment });
    if (taken.length > 0) throw new TakenError("Another attempt took over a payment in this transaction.");
    replaced = hash;
    onSigned();
  };
  try {
    const calls = members.map(({ entry }) => entry.call);
    const { transaction, result } = await sendCall(relayer, toJointCall(multicall3, calls), recordSigned);
    onBatch(size);
    for (const [index, { resolve }] of members.entries()) {
      resolve({ transaction: transaction.hash, result, batch: toBatch(index) });
    }
    return [];
  } catch (error) {
    const isLost = ({ entry }: Waiting) => taken.length === 0 || taken.includes(entry.payment.id);
    for (const { reject } of members.filter(isLost)) reject(error);
    return members.filter((member) => !isLost(member));
  } finally {
    batcher.entriesInFlight -= size;
  }
}

/**
 * Combines several calls into one call to Multicall3, where each succeeds or fails independently. A single call is
 * returned unchanged.
 */
export function toJointCall(multicall3: Hex, calls: readonly GasCall[]): GasCall {
  const [first] = calls;
  if (first && calls.length === 1) return first;
  const calldata = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  const ownGas = calls.reduce((sum, { gas }) => sum + gas - intrinsicGas + aggregateGasPerCall, 0n);
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calldata] }),
    gas: intrinsicGas + aggregateGas + ownGas,
  };
}
