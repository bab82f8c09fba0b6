/**
 * Reads accounts, transactions and charts for pages from a remote node. There is no index, so each read makes a bounded
 * number of requests and returns a cursor to continue from.
 */
import { recoverAuthorizationAddress } from "viem/utils";
import { listInternalTransactions } from "@/lib/decode/internals";
import { addressCursor, logCursor } from "@/lib/rpc/cursor";
import type { DecodedParams, RpcResult } from "@/lib/rpc/methods";
import type { AuthorizationRow } from "@/lib/rpc/schema/explorerTransaction";
import type { WireLog } from "@/lib/rpc/shapes";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { countPaymentsByBlock } from "@/server/explorer/payments";
import { countCalls, countChanged, findDelegate, type StateDiff } from "@/server/explorer/transactionEffects";
import type { PaymentStore } from "@/server/ports/store";
import type { WireHead } from "@/server/remote/heads";
import { ask, askIfSupported, type RemoteNode } from "@/server/remote/remoteNode";

type Hex = `0x${string}`;

/** The number of blocks per eth_getLogs request. Several providers reject larger ranges. */
const logWindow = 100;
/** The number of block ranges to search per page of logs. */
const searchedWindows = 20;
/**
 * The maximum number of blocks per chart, and of payment transactions to look up for it. Each block and each
 * transaction takes one request.
 */
const seriesBlocks = 100;
const seriesTransactions = 100;

type WireAuthorization = { chainId: Hex; address: Hex; nonce: Hex; r: Hex; s: Hex; yParity?: Hex; v?: Hex };

/** Only lists configured tokens, because finding other tokens would require an index. */
export async function listHoldings(
  node: RemoteNode,
  tokens: readonly { address: string }[],
  ...[address, { after, limit }]: DecodedParams<"explorer_getHoldings">
): Promise<RpcResult<"explorer_getHoldings">> {
  const wanted = tokens.map((token) => token.address.toLowerCase() as Hex).sort();
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
  const held = await Promise.all(
    wanted
      .filter((token) => after === undefined || token > after)
      .map(async (token) => {
        const answer = await askIfSupported<Hex>(node, "eth_call", { to: token, data }, "latest");
        const amount = toQuantity(answer && answer.length === 66 ? BigInt(answer) : 0n);
        return { token, amount, balance: amount };
      }),
  );
  const rows = held.filter(({ amount }) => amount !== "0x0");
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? addressCursor.encode(last.token) : null };
}

/** Only lists configured tokens, because finding other tokens would require an index. */
export function listTokens(tokens: readonly { address: string }[]): RpcResult<"explorer_getTokens"> {
  const items = tokens.map(({ address }) => ({ token: address.toLowerCase() as Hex, holders: null, transfers: null }));
  return { items, next: null };
}

export async function listLogs(
  node: RemoteNode,
  ...[address, { topics, fromBlock, before, limit }]: DecodedParams<"explorer_getLogs">
): Promise<RpcResult<"explorer_getLogs">> {
  const head = Number(await ask<Hex>(node, "eth_blockNumber"));
  const filter = { address, topics: topics.map((topic) => topic ?? null) };
  const items: WireLog[] = [];
  let to = Math.min(before?.blockNumber ?? head, head);
  for (let looked = 0; to >= fromBlock && items.length <= limit && looked < searchedWindows; looked++) {
    const from = Math.max(fromBlock, to - logWindow + 1);
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) };
    const logs = await ask<WireLog[]>(node, "eth_getLogs", { ...filter, ...range });
    items.push(...logs.filter((log) => !before || compare(log, before) < 0).sort((one, other) => compare(other, one)));
    to = from - 1;
  }
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const next =
    items.length > limit && last
      ? logCursor.encode(toPlace(last))
      : to < fromBlock
        ? null
        : logCursor.encode({ blockNumber: to + 1, logIndex: 0 });
  return { items: shown, next };
}

export async function findTransactionEffects(
  node: RemoteNode,
  hash: Hex,
): Promise<RpcResult<"explorer_getTransactionEffects">> {
  const transaction = await ask<{ blockNumber: Hex | null; authorizationList?: WireAuthorization[] } | null>(
    node,
    "eth_getTransactionByHash",
    hash,
  );
  if (!transaction) return null;
  const { blockNumber, authorizationList = [] } = transaction;
  const trace = <T>(config: object) =>
    blockNumber === null ? undefined : askIfSupported<T>(node, "debug_traceTransaction", hash, config);
  const [calls, diff, authorizations] = await Promise.all([
    trace<WireCallFrame>({ tracer: "callTracer" }),
    trace<StateDiff>({ tracer: "prestateTracer", tracerConfig: { diffMode: true } }),
    Promise.all(authorizationList.map((each) => toAuthorizationRow(node, each, blockNumber))),
  ]);
  return {
    blockNumber,
    calls: calls ? toQuantity(countCalls(calls)) : null,
    internalTransactions: calls ? toQuantity(listInternalTransactions(calls).length) : null,
    changedAccounts: diff ? toQuantity(countChanged(diff)) : null,
    authorizations,
  };
}

export async function readSeries(
  node: RemoteNode,
  payments: PaymentStore,
  wanted: number,
): Promise<RpcResult<"explorer_getSeries">> {
  const head = Number(await ask<Hex>(node, "eth_blockNumber"));
  const count = Math.min(wanted, seriesBlocks, head + 1);
  const read = (number: number) => ask<WireHead | null>(node, "eth_getBlockByNumber", toQuantity(number), false);
  const found = await Promise.all(Array.from({ length: count }, (_, at) => read(head - count + 1 + at)));
  const blocks = found.flatMap((block) => (block ? [block] : []));
  const sinceMs = Number(blocks[0]?.timestamp ?? 0) * 1000;
  const find = (hashes: readonly Hex[]) => findBlocks(node, hashes);
  const { counts, isCut } = await countPaymentsByBlock(payments, sinceMs, find, seriesTransactions);
  return {
    blocks: blocks.map(({ number, timestamp, baseFeePerGas, gasUsed, gasLimit, transactions }) => ({
      number,
      timestamp,
      baseFeePerGas: baseFeePerGas ?? null,
      gasUsed,
      gasLimit,
      transactions: toQuantity(transactions.length),
      payments: toQuantity(counts.get(Number(number)) ?? 0),
    })),
    paymentsCut: isCut,
  };
}

function toPlace({ blockNumber, logIndex }: Pick<WireLog, "blockNumber" | "logIndex">): {
  blockNumber: number;
  logIndex: number;
} {
  return { blockNumber: Number(blockNumber), logIndex: Number(logIndex) };
}

function compare(one: WireLog, other: WireLog | { blockNumber: number; logIndex: number }): number {
  const byBlock = Number(one.blockNumber) - Number(other.blockNumber);
  return byBlock === 0 ? Number(one.logIndex) - Number(other.logIndex) : byBlock;
}

async function toAuthorizationRow(
  node: RemoteNode,
  { chainId, address, nonce, r, s, yParity, v }: WireAuthorization,
  blockNumber: Hex | null,
): Promise<AuthorizationRow> {
  const authorization = { chainId: Number(chainId), address, nonce: Number(nonce) };
  const signature = { r, s, yParity: Number(yParity ?? v ?? 0) };
  // An authorization with an invalid signature has no effect, but is still part of the transaction.
  const authority = await recoverAuthorizationAddress({ authorization, signature }).catch(() => undefined);
  const code =
    authority && blockNumber ? await askIfSupported<Hex>(node, "eth_getCode", authority, blockNumber) : undefined;
  return {
    authority: authority ? (authority.toLowerCase() as Hex) : null,
    chainId,
    address: address.toLowerCase() as Hex,
    nonce,
    delegatedTo: (code && findDelegate(toBytes(code))) ?? null,
  };
}

/** Finds the blocks of transactions. Takes one request per transaction. */
async function findBlocks(node: RemoteNode, hashes: readonly Hex[]) {
  const find = async (hash: Hex) => {
    const receipt = await ask<{ blockNumber: Hex } | null>(node, "eth_getTransactionReceipt", hash);
    return receipt ? [{ hash, blockNumber: Number(receipt.blockNumber) }] : [];
  };
  return (await Promise.all(hashes.map(find))).flat();
}
