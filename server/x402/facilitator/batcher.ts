/**
 * Puts settlements into transactions of one account. Settlements that arrive while a transaction is in flight share the
 * next one through Multicall3, in which each call succeeds or fails alone; calls that must come from the account itself
 * are sent alone. Invariant: no transaction is sent before the ledger records it for all its payments.
 */
import { encodeFunctionData } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import type { Hex } from "@/lib/x402/types";
import type { Beginning, SignedSettlement } from "@/server/x402/facilitator/ledger";
import {
  type GasCall,
  type NewTransaction,
  type Relayer,
  sendCall,
  type TransactionResult,
} from "@/server/x402/facilitator/relayer";
import type { Payment } from "@/server/x402/schemes/scheme";

type BatchEntry = {
  id: Hex;
  payment: Payment;
  /** gas: the gas that the call uses in its own transaction. */
  call: GasCall;
  /** Two settlements with the same key never share a transaction; a settlement without a key is sent alone. */
  batchKey: string | undefined;
  /** An earlier transaction that included the payment but did not settle it. */
  replaces: Hex | undefined;
};

export type BatchedTransaction = { transaction: Hex; result: TransactionResult; batch: Beginning["batch"] };

/** Another attempt, possibly in another instance, took the payment before this one was sent. */
export class TakenError extends Error {
  override name = "TakenError";
}

export type Batcher = {
  /** Rejects with TakenError, NetworkError, or anything that begin throws; in each case nothing was sent. */
  send(settlement: BatchEntry): Promise<BatchedTransaction>;
  /** Number of settlements that are waiting or in flight. */
  load(): number;
};

export type BatcherOptions = {
  relayer: Relayer;
  multicall3: Hex;
  /** Whether Multicall3 is deployed on this network. */
  hasMulticall: () => Promise<boolean>;
  /** Ledger.begin. */
  begin(beginnings: readonly Beginning[], settlement: SignedSettlement): Promise<Hex[]>;
  /** Maximum number of payments in one transaction. */
  maxBatch: number;
  /** How long settlements may wait for others while another transaction is in flight. */
  gatherMs: number;
  onBatch: (size: number) => void;
};

/** Maximum gas of one transaction, well within a block. */
const maxBatchGas = 6_000_000n;
/** Gas that a transaction uses before its first instruction. */
const intrinsicGas = 21_000n;
/** Gas that aggregate3 adds, once and per call: loop, copying, and calldata around each call. */
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
  /** A batch cannot grow once taken, so the next one is taken only after this one has its nonce. */
  let isSigning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the oldest settlements that may share a transaction. */
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
      // The remaining settlements wait for their own turn.
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

  /** Calls onLeaving when the first transaction is signed, or when there will be none. */
  async function send(entries: Waiting[], onLeaving: () => void): Promise<void> {
    let left = entries;
    entriesInFlight += entries.length;
    try {
      while (left.length > 0) {
        const members: Waiting[] = left;
        let lost: Hex[] = [];
        const size = members.length;
        const toBatch = (index: number) => (size === 1 ? undefined : { size, index });
        /** If this loop signs another transaction, the previous one it signed is dead. */
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
          const { transaction, result } = await sendCall(relayer, call, onSigned);
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

/**
 * Combines calls into one: a single call stays as it is, several go through Multicall3, in which each succeeds or fails
 * alone.
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
