/** Converts blocks and traces to the formats that the ots_ methods return. */
import type { RpcResult } from "@/lib/rpc/methods";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";
import { toRewards } from "@/server/ethereum/fees";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, Receipt } from "@/server/ethereum/types";
import { encodeBlock, encodeReceipt, encodeTransaction } from "@/server/rpc/encode";

type Operation = RpcResult<"ots_getInternalOperations">[number];
type TraceEntry = RpcResult<"ots_traceTransaction">[number];
type WithReceipts = { block: Block; receipts: Receipt[] };

function encodeOtsBlock(block: Block) {
  const { transactions, ...rest } = encodeBlock(block, false);
  return { ...rest, transactionCount: transactions.length };
}

export function encodeBlockDetails(spec: ChainSpec, { block, receipts }: WithReceipts) {
  const rewards = toRewards(spec, block.header, block.ommers);
  const uncles = rewards.ommers.reduce((sum, { reward }) => sum + reward, 0n);
  const fees = receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n);
  return {
    block: encodeOtsBlock(block),
    issuance: {
      blockReward: toQuantity(rewards.producer),
      uncleReward: toQuantity(uncles),
      issuance: toQuantity(rewards.producer + uncles),
    },
    totalFees: toQuantity(fees),
  };
}

/**
 * One page of a block's transactions. Page 0 has the last transactions in the block, and each page keeps block order.
 * Calldata is cut to its selector, and logs are omitted.
 */
export function encodeBlockTransactions({ block, receipts }: WithReceipts, page: number, size: number) {
  const { header, transactions } = block;
  const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp, baseFeePerGas } = header;
  const end = Math.max(0, transactions.length - page * size);
  const start = Math.max(0, end - size);
  const shown = transactions.slice(start, end).map((transaction, at) => {
    const index = start + at;
    const place = { blockHash, blockNumber, blockTimestamp, baseFeePerGas, index };
    const wire = encodeTransaction(transaction, place);
    const receipt = { ...receipts[index]!, logs: [] };
    return {
      transaction: { ...wire, input: wire.input.slice(0, 10) as typeof wire.input },
      receipt: {
        ...encodeReceipt(receipt, transaction, place),
        logs: null,
        logsBloom: null,
        timestamp: toQuantity(blockTimestamp),
      },
    };
  });
  return {
    fullblock: { ...encodeOtsBlock(block), transactions: shown.map(({ transaction }) => transaction) },
    receipts: shown.map(({ receipt }) => receipt),
  };
}

/** Lists every call with its depth. A call comes before its subcalls (pre-order). */
export function toTraceEntries(root: WireCallFrame): TraceEntry[] {
  const entries: TraceEntry[] = [];
  const add = (frame: WireCallFrame, depth: number) => {
    const { type, from, to, value, input, output, calls = [] } = frame;
    const movesValue = type !== "DELEGATECALL" && type !== "STATICCALL";
    const moved = movesValue ? (value ?? "0x0") : null;
    entries.push({ type, depth, from, to: to ?? null, value: moved, input, output: output ?? "0x" });
    for (const call of calls) add(call, depth + 1);
  };
  add(root, 0);
  return entries;
}

const operations: Partial<Record<WireCallFrame["type"], number>> = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 };

/**
 * Lists a transaction's internal operations: value transfers, contract creations and self-destructs. Omits those that
 * were reverted.
 */
export function listOperations(root: WireCallFrame): Operation[] {
  const found: Operation[] = [];
  const addBelow = ({ error, calls = [] }: WireCallFrame) => {
    if (error !== undefined) return;
    for (const call of calls) {
      const { type, from, to, value = "0x0" } = call;
      const operation = operations[type];
      const counts = operation !== undefined && (operation !== 0 || value !== "0x0");
      if (counts && to && call.error === undefined) found.push({ type: operation, from, to, value });
      addBelow(call);
    }
  };
  addBelow(root);
  return found;
}
