/**
 * Chooses a block's transactions. The pool decides their order (txpool/order.ts), and the block's limits decide how
 * many fit.
 */
import { toNextBlockFacts } from "@/server/chain/blockEnv";
import type { Draft, Producer } from "@/server/chain/producer/state";
import { maxBlobGas, nextBaseFee } from "@/server/ethereum/fees";
import type { Transaction } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

/** If all transactions are waiting for lower fees, empty blocks are built at this interval to lower the fees. */
const emptyBlockIntervalMs = 1_000;

/**
 * Selects the draft's transactions. Returns how many milliseconds to wait before building the block: 0 to build it now,
 * undefined if no block is due.
 */
export function select(producer: Producer, draft: Draft): number | undefined {
  const { spec, lastBlockMs, now } = producer;
  const { request, env } = draft;
  if (request.kind === "empty") return 0;
  draft.transactions = listNext(producer, env);
  if (request.kind === "now") return 0;
  const isEmpty = draft.transactions.length === 0;
  if (isEmpty && !canFeesFall(producer, draft)) return undefined;
  const blockTimeMs = spec.blockTimeMs ?? 0;
  const intervalMs = isEmpty ? Math.max(emptyBlockIntervalMs, blockTimeMs) : blockTimeMs;
  const elapsedMs = now() - lastBlockMs;
  // A negative time means that the machine's clock was set back.
  return elapsedMs < 0 ? 0 : Math.max(0, intervalMs - elapsedMs);
}

/** The pool's transactions for a block with this environment, in block order. */
export function listNext({ spec, head, batch }: Producer, env: BlockEnv): Transaction[] {
  return head.pool.select({ ...toNextBlockFacts(spec, env), maxBlobGas: maxBlobGas(spec, env) }, batch);
}

/** Whether transactions are waiting for lower fees and an empty block would lower them. */
function canFeesFall({ spec, head }: Producer, { parent, env }: Draft): boolean {
  const baseFee = env.baseFeePerGas;
  if (baseFee === undefined || head.pool.counts().pending === 0) return false;
  const afterEmpty = nextBaseFee(spec, { ...parent, baseFeePerGas: baseFee, gasUsed: 0n }, env);
  return (afterEmpty ?? 0n) < baseFee || (env.excessBlobGas ?? 0n) > 0n;
}
