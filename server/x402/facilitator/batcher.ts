/**
 * Puts settlements into transactions of one account. What waits while a transaction is on its way goes together in the
 * next one, through Multicall3, where each call succeeds or fails alone; what must come from the account itself goes
 * alone. Invariant: no transaction leaves before the ledger says of all its payments that they are in it.
 */
import { encodeFunctionData } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import type { Hex } from "@/lib/x402/types";
import type { Beginning, SignedSettlement } from "@/server/x402/facilitator/ledger";
import type { GasCall, NewTransaction, Relayer, TransactionResult } from "@/server/x402/facilitator/relayer";
import type { Payment } from "@/server/x402/schemes/scheme";

type BatchEntry = {
  id: Hex;
  payment: Payment;
  /** gas: what the call takes as a transaction of its own. */
  call: GasCall;
  /** Two settlements with the same key never share a transaction; one without a key goes alone. */
  batchKey: string | undefined;
  /** An earlier transaction that held the payment and did not settle it. */
  replaces: Hex | undefined;
};

export type BatchedTransaction = { transaction: Hex; result: TransactionResult; batch: Beginning["batch"] };

/** The payment was taken by another attempt, of another instance perhaps, before this one was sent. */
export class TakenError extends Error {
  override name = "TakenError";
}

export type Batcher = {
  /** Rejects with TakenError, NetworkError, or whatever begin throws; then nothing was sent. */
  send(settlement: BatchEntry): Promise<BatchedTransaction>;
  /** Settlements that wait or are on their way. */
  load(): number;
};

export type BatcherOptions = {
  relayer: Relayer;
  multicall3: Hex;
  /** Whether Multicall3 stands there. */
  hasMulticall: () => Promise<boolean>;
  /** Ledger.begin. */
  begin(beginnings: readonly Beginning[], settlement: SignedSettlement): Promise<Hex[]>;
  /** Payments of one transaction at most. */
  maxBatch: number;
  /** How long what waits may wait for more, while another transaction is on its way. */
  gatherMs: number;
  onBatch: (size: number) => void;
};

/** Gas of one transaction at most, well within a block. */
const maxBatchGas = 6_000_000n;
/** What a transaction takes before its first instruction. */
const intrinsicGas = 21_000n;
/** What aggregate3 adds, once and per call: loop, copying, and calldata around each call. */
const aggregateGas = 30_000n;
const aggregateGasPerCall = 8_000n;

type Waiting = {
  settlement: BatchEntry;
  sinceMs: number;
  resolve(sent: BatchedTransaction): void;
  reject(error: unknown): void;
};

/** Builds the batcher of one relayer. */
export function createBatcher(options: BatcherOptions): Batcher {
  const { relayer, multicall3, hasMulticall, begin, maxBatch, gatherMs, onBatch } = options;
  const waiting: Waiting[] = [];
  let batchesInFlight = 0;
  let entriesInFlight = 0;
  /** A batch that is taken cannot grow any more, so the next one is taken when this one has its nonce. */
  let isSigning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** The oldest that may go together. */
  function take(limit: number): Waiting[] {
    const taken: Waiting[] = [];
    const keys = new Set<string>();
    let gas = 0n;
    for (const entry of [...waiting]) {
      const { batchKey, call } = entry.settlement;
      if (taken.length >= limit) break;
      if (batchKey === undefined || keys.has(batchKey) || (taken.length > 0 && gas + call.gas > maxBatchGas)) continue;
      keys.add(batchKey);
      gas += call.gas;
      taken.push(entry);
      waiting.splice(waiting.indexOf(entry), 1);
    }
    return taken;
  }

  function pump(): void {
    clearTimeout(timer);
    const oldest = waiting[0];
    if (!oldest || isSigning) return;
    const waitMs = batchesInFlight === 0 ? 0 : oldest.sinceMs + gatherMs - Date.now();
    if (waitMs > 0 && waiting.length < maxBatch) {
      timer = setTimeout(pump, waitMs);
      return;
    }
    batchesInFlight++;
    isSigning = true;
    const endSigning = () => {
      isSigning = false;
      // What is left waits for its own turn.
      pump();
    };
    void (async () => {
      const limit = await hasMulticall().then(
        (has) => (has ? maxBatch : 1),
        () => 1,
      );
      await send(take(limit), once(endSigning));
    })().finally(() => {
      batchesInFlight--;
      pump();
    });
  }

  /** Tells onLeaving when the first transaction is signed, or when there will be none. */
  async function send(entries: Waiting[], onLeaving: () => void): Promise<void> {
    let left = entries;
    entriesInFlight += entries.length;
    try {
      while (left.length > 0) {
        const members: Waiting[] = left;
        let lost: Hex[] = [];
        const size = members.length;
        const toBatch = (index: number) => (size === 1 ? undefined : { size, index });
        /** Of the transactions that this loop signed the last is dead where there is another. */
        let replaced: Hex | undefined;
        const onSigned = async (signed: NewTransaction) => {
          const beginnings = members.map(({ settlement: { id, payment, replaces } }, index) => ({
            id,
            payment,
            batch: toBatch(index),
            replaces: replaced ?? replaces,
          }));
          const { hash, raw, allotment } = signed;
          lost = await begin(beginnings, { transaction: hash, raw, allotment });
          if (lost.length > 0) throw new TakenError("A payment of this transaction was taken.");
          replaced = signed.hash;
          onLeaving();
        };
        try {
          const call = toJointCall(
            multicall3,
            members.map(({ settlement }) => settlement.call),
          );
          const { transaction, result } = await relayer.send(call, onSigned);
          onBatch(size);
          for (const [index, { resolve }] of members.entries()) {
            resolve({ transaction: transaction.hash, result, batch: toBatch(index) });
          }
          return;
        } catch (error) {
          const isLost = ({ settlement }: Waiting) => lost.length === 0 || lost.includes(settlement.id);
          for (const { reject } of members.filter(isLost)) reject(error);
          left = members.filter((entry) => !isLost(entry));
        }
      }
    } finally {
      entriesInFlight -= entries.length;
      onLeaving();
    }
  }

  return {
    send(settlement) {
      return new Promise((resolve, reject) => {
        const entry = { settlement, sinceMs: Date.now(), resolve, reject };
        if (settlement.batchKey === undefined) {
          void send([entry], () => undefined);
          return;
        }
        waiting.push(entry);
        pump();
      });
    },
    load: () => waiting.length + entriesInFlight,
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

/** Calls as one: itself where it is the only one, else through Multicall3, where each succeeds or fails alone. */
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
