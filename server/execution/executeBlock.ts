/**
 * Executes a block's transactions on its parent's state and returns everything that its header commits to. When a block
 * is built, invalid transactions are skipped and reported. When a block is imported, they are errors.
 */
import { encodeWithdrawal } from "@/server/ethereum/codec/block";
import { toBloom } from "@/server/ethereum/codec/bloom";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import {
  findErrorCode,
  type InvalidTransactionError,
  isInvalidTransaction,
  type MalformedTransactionError,
} from "@/server/ethereum/errors";
import { maxBlobGas } from "@/server/ethereum/fees";
import { toListRoot } from "@/server/ethereum/trie";
import type { InternalTransfer, Receipt, Transaction } from "@/server/ethereum/types";
import { createStopwatch, type Stopwatch } from "@/server/evm/budget";
import { type Engine, withEngine } from "@/server/execution/engine";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { createStateRoots, type StateRoots } from "@/server/execution/state/stateRoots";
import { applyWithdrawals, payRewards, startBlock, toRequestsHash } from "@/server/execution/systemCalls";
import { type Applied, applyMessage } from "@/server/execution/transition";
import type { ConsoleCalls, ExecuteBlock, ExecutedBlock, Rejection } from "@/server/ports/executor";

/**
 * Runs the job on the store. In import mode, throws InvalidTransactionError with the standard reason if a transaction
 * is invalid. In both modes, throws InvalidBlockError if a system call fails.
 */
export async function executeBlock(
  job: ExecuteBlock,
  store: ExecutionStore,
  budget: Stopwatch = createStopwatch(),
): Promise<ExecutedBlock> {
  const base = { store, block: job.parent };
  const overlay = createOverlay(base);
  const roots = createStateRoots(overlay, base, (await store.findEditedRoot(job.parent)) ?? job.parentStateRoot);
  return withEngine({ spec: job.spec, env: job.env, overlay, reads: store.reads, budget }, async (engine) => {
    await startBlock(engine);
    const body = await applyTransactions(engine, job, roots, budget);
    if (job.withdrawals) await applyWithdrawals(engine, job.withdrawals);
    if (!engine.has("paris")) await payRewards(engine, job.ommers);
    const requestsHash = engine.has("prague") ? await toRequestsHash(engine, body.receipts) : undefined;
    const stateRoot = await roots.root();
    return {
      kind: "executeBlock",
      included: body.included,
      rejected: body.rejected,
      receipts: body.receipts,
      internalTransfers: body.internalTransfers,
      consoleCalls: body.consoleCalls,
      state: await roots.changes(),
      stateRoot,
      transactionsRoot: await toListRoot(body.transactions.map(({ raw }) => raw)),
      receiptsRoot: await toListRoot(body.receipts.map(encodeReceipt)),
      ...(job.withdrawals ? { withdrawalsRoot: await toListRoot(job.withdrawals.map(encodeWithdrawal)) } : {}),
      ...(requestsHash ? { requestsHash } : {}),
      logsBloom: toBloom(body.receipts.flatMap(({ logs }) => logs)),
      gasUsed: body.gasUsed,
      ...(engine.has("cancun") ? { blobGasUsed: body.blobGasUsed } : {}),
    };
  });
}

/**
 * If a transaction's gas limit is at most this, the transaction is always brief: even the slowest code uses up the gas
 * in about 0.1 s.
 */
const briefGas = 3_000_000n;

/** The maximum number of transactions per block for which console calls are recorded. */
const maxLoggingTransactions = 100;

type Body = {
  included: number[];
  transactions: Transaction[];
  rejected: Rejection[];
  receipts: Receipt[];
  internalTransfers: InternalTransfer[][];
  consoleCalls: ConsoleCalls[];
  gasUsed: bigint;
  blobGasUsed: bigint;
};

async function applyTransactions(
  engine: Engine,
  job: ExecuteBlock,
  roots: StateRoots,
  budget: Stopwatch,
): Promise<Body> {
  const body: Body = {
    included: [],
    transactions: [],
    rejected: [],
    receipts: [],
    internalTransfers: [],
    consoleCalls: [],
    gasUsed: 0n,
    blobGasUsed: 0n,
  };
  const blobLimit = maxBlobGas(job.spec, job.env);
  const { timeMs = Number.POSITIVE_INFINITY } = job;
  const shareMs = timeMs / 2;
  const startedMs = budget.spentMs();
  let logs = 0;
  let hasStopped = false;
  for (const [index, { raw, from }] of job.transactions.entries()) {
    const leftMs = timeMs - (budget.spentMs() - startedMs);
    if (leftMs <= 0) break;
    const transaction = decodeTransaction(raw, from);
    const { hash, gasLimit } = transaction;
    // Once a transaction has been stopped for running too long, the block only gets brief ones. Otherwise, many slow
    // transactions could use up the time of every block.
    if (hasStopped && gasLimit > briefGas) continue;
    let applied: Applied;
    engine.recordsConsole = job.recordsConsole === true && body.consoleCalls.length < maxLoggingTransactions;
    engine.overlay.checkpoint();
    budget.limit(Math.min(shareMs, leftMs));
    try {
      applied = await applyMessage(engine, transaction, {
        isCall: false,
        gasLeft: job.env.gasLimit - body.gasUsed,
        blobGasLeft: blobLimit === undefined ? undefined : blobLimit - body.blobGasUsed,
      });
      engine.overlay.commit();
    } catch (error) {
      engine.overlay.revert();
      if (findErrorCode(error) === "JOB_TIMEOUT") {
        // The transaction had less than its full share of time, so it runs again in a later block.
        if (leftMs < shareMs) break;
        hasStopped = true;
        const reason = `it ran longer than ${shareMs} ms, half of the time limit for building a block (TOLLSCAN_LIMIT_BUILD_TIME_MS)`;
        body.rejected.push({ index, hash, code: "JOB_TIMEOUT", reason });
      } else if (job.mode === "build" && isRefusal(error)) {
        body.rejected.push({ index, hash, code: error.code, reason: error.message });
      } else throw error;
      continue;
    } finally {
      budget.limit(undefined);
    }
    body.gasUsed += applied.gasUsed;
    body.blobGasUsed += applied.blobGasUsed;
    const receipt = toReceipt(engine, transaction, applied, body.gasUsed, logs);
    // EIP-658: before Byzantium, a receipt contains the state root instead of a status.
    if (!engine.has("byzantium")) receipt.stateRoot = await roots.root();
    logs += applied.logs.length;
    body.included.push(index);
    body.transactions.push(transaction);
    body.receipts.push(receipt);
    body.internalTransfers.push(applied.transfers);
    if (applied.consoleCalls.length > 0) body.consoleCalls.push({ hash, inputs: applied.consoleCalls });
  }
  return body;
}

function isRefusal(error: unknown): error is InvalidTransactionError | MalformedTransactionError {
  return findErrorCode(error) === "MALFORMED_TRANSACTION" || isInvalidTransaction(error);
}

function toReceipt(
  engine: Engine,
  transaction: Transaction,
  applied: Applied,
  cumulativeGasUsed: bigint,
  firstLogIndex: number,
): Receipt {
  return {
    type: transaction.type,
    ...(engine.has("byzantium") ? { status: applied.failure ? 0 : 1 } : {}),
    cumulativeGasUsed,
    gasUsed: applied.gasUsed,
    effectiveGasPrice: applied.effectiveGasPrice,
    logsBloom: toBloom(applied.logs),
    logs: applied.logs,
    firstLogIndex,
    ...(applied.contractAddress ? { contractAddress: applied.contractAddress } : {}),
    ...(transaction.type === 3 && engine.blobBaseFee !== undefined
      ? { blobGasUsed: applied.blobGasUsed, blobGasPrice: engine.blobBaseFee }
      : {}),
  };
}
