/**
 * Functions that build the query options, including the cache policy, for each request. Immutable data is kept forever.
 * Data that follows the head, the pool or the payments is refetched when the stream reports a change, and only queries
 * about the node's own state poll.
 */
import { queryOptions } from "@tanstack/react-query";
import { recordRequestTime } from "@/lib/query/requestTimes";
import type { Follows, RequestKey, Source } from "@/lib/query/source";
import type { MethodName, RpcParams, RpcResult } from "@/lib/rpc/methods";
import type { TransactionFilterFields } from "@/lib/rpc/schema/explorerPage";
import { toQuantity } from "@/lib/units";

export const pageSize = 25;
export const homeRows = 8;
export const facilitatorRows = 5;
export const rulerLength = 60;

/** Builds the query options for one request. `isFinal` returns true for data that will never change. */
export function toOptions<Name extends MethodName, Data = RpcResult<Name>>(
  source: Source,
  method: Name,
  params: readonly unknown[],
  follows: readonly Follows[],
  isFinal: (data: Data) => boolean = () => follows.length === 0,
  /** Reduces the data to the part that the cache keeps. */
  toKept: (data: Data) => Data = (data) => data,
) {
  const queryKey: RequestKey = [source.network, method, params];
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const startedAt = performance.now();
      const data = await source.request({ method, params: params as RpcParams<Name> });
      recordRequestTime(JSON.stringify(queryKey), performance.now() - startedAt);
      return toKept(data as Data);
    },
    staleTime: (query) => {
      const data = query.state.data as Data | undefined;
      return data !== undefined && isFinal(data) ? Number.POSITIVE_INFINITY : 0;
    },
    meta: { follows },
  });
}

/** Not refetched, because the stream writes each new head into the cache. */
export function headNumberQuery(source: Source) {
  return toOptions(source, "eth_blockNumber", [], []);
}
/** The ruler's initial blocks. Heads from the stream are added to them. */
export function rulerQuery(source: Source) {
  const params = [{ limit: rulerLength }];
  return toOptions(source, "explorer_getBlocks", params, []);
}
export function finalizedBlockQuery(source: Source) {
  return toOptions(source, "eth_getBlockByNumber", ["finalized", false], ["head"]);
}
export function gasPriceQuery(source: Source) {
  return toOptions(source, "eth_gasPrice", [], ["head"]);
}

export function toPage(cursorName: "before" | "after", cursor: string | undefined, limit = pageSize) {
  return cursor === undefined ? { limit } : { [cursorName]: cursor, limit };
}
export const followsHead = (cursor: string | undefined): Follows[] => (cursor === undefined ? ["head"] : []);

/** Only the first page follows the head, because older rows don't change. */
export function blocksQuery(source: Source, cursor?: string, limit = pageSize, skipsEmpty = false) {
  const params = [{ ...toPage("before", cursor, limit), ...(skipsEmpty && { skipsEmpty }) }];
  return toOptions(source, "explorer_getBlocks", params, followsHead(cursor));
}
/** A block's summary, with its counts. */
export function blockSummaryQuery(source: Source, number: number) {
  const params = [{ before: toQuantity(number + 1), limit: 1 }];
  return toOptions(source, "explorer_getBlocks", params, []);
}
export function transactionsQuery(
  source: Source,
  cursor?: string,
  limit = pageSize,
  filter: TransactionFilterFields = {},
) {
  const params = [{ ...toPage("before", cursor, limit), ...filter }];
  return toOptions(source, "explorer_getTransactions", params, followsHead(cursor));
}
export function blockTransactionsQuery(
  source: Source,
  block: string,
  cursor?: string,
  limit = pageSize,
  filter: TransactionFilterFields = {},
) {
  const params = [block, { ...toPage("after", cursor, limit), ...filter }];
  return toOptions(source, "explorer_getBlockTransactions", params, []);
}
export function pendingTransactionsQuery(source: Source, limit = 50) {
  const params = [{ limit }];
  return toOptions(source, "explorer_getPendingTransactions", params, ["pool", "head"]);
}

/** A block by number or hash. If the block doesn't exist yet, it is requested again with each new head. */
export function blockQuery(source: Source, block: { number: number } | { hash: `0x${string}` }) {
  const byHash = "hash" in block;
  const params = [byHash ? block.hash : toQuantity(block.number), false];
  // Both methods return data of the same shape.
  const method = (byHash ? "eth_getBlockByHash" : "eth_getBlockByNumber") as "eth_getBlockByHash";
  return toOptions(source, method, params, ["head"], (data) => data !== null);
}

export function transactionQuery(source: Source, hash: string) {
  return toOptions(
    source,
    "eth_getTransactionByHash",
    [hash],
    ["pool", "head"],
    (data) => data !== null && data.blockHash !== null,
  );
}
export function receiptQuery(source: Source, hash: string) {
  return toOptions(source, "eth_getTransactionReceipt", [hash], ["head"], (data) => data !== null);
}
export function poolStatusQuery(source: Source, hash: string) {
  return toOptions(source, "txpool_statusByHash", [hash], ["pool", "head"]);
}

export function balanceQuery(source: Source, address: string) {
  return toOptions(source, "eth_getBalance", [address, "latest"], ["head"]);
}
export function nonceQuery(source: Source, address: string) {
  return toOptions(source, "eth_getTransactionCount", [address, "latest"], ["head"]);
}
export function codeQuery(source: Source, address: string) {
  return toOptions(source, "eth_getCode", [address, "latest"], ["head"]);
}
/**
 * The result of ERC-20 balanceOf as one word, or "0x" if the token has no code. Reads the latest balance, unless a
 * block number is given. The balance at a given block never changes.
 */
export function tokenBalanceQuery(source: Source, token: string, address: string, blockNumber?: number) {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
  const block = blockNumber === undefined ? "latest" : toQuantity(blockNumber);
  return toOptions(source, "eth_call", [{ to: token, data }, block], blockNumber === undefined ? ["head"] : []);
}

export function searchQuery(source: Source, text: string) {
  return toOptions(source, "explorer_search", [text], ["head", "pool"]);
}

/** The ledger's payments that a transaction settles. */
export function paymentQuery(source: Source, transaction: string) {
  return toOptions(source, "explorer_getPayment", [transaction], ["payment"]);
}
/** Estimates the gas for a call at a given block. The result never changes. */
export function callGasQuery(source: Source, call: { from?: string; to?: string; data?: string }, blockNumber: number) {
  return toOptions(source, "eth_estimateGas", [call, toQuantity(blockNumber)], []);
}
/**
 * A recorded exchange, by its own ID or by its payment's ID. A later exchange for the same payment replaces the earlier
 * one.
 */
export function exchangeQuery(source: Source, id: string) {
  const isFinal = (data: RpcResult<"explorer_getExchange">) => data !== null && !id.startsWith("0x");
  return toOptions(source, "explorer_getExchange", [id], ["payment"], isFinal);
}
/** Filters for a list of payments. If a filter is absent, it matches everything. */
export type PaymentFilters = Partial<Record<"payer" | "payee" | "resource" | "state", string>>;

export function paymentsQuery(source: Source, cursor?: string, limit = pageSize, filters: PaymentFilters = {}) {
  const params = [{ ...toPage("before", cursor, limit), ...filters }];
  const follows: Follows[] = cursor === undefined ? ["payment"] : [];
  return toOptions(source, "explorer_getPayments", params, follows);
}
/** With `subject`, such as a payee's address, only its totals: one for each token. */
export function paymentTotalsQuery(source: Source, by: "resource" | "payee" | "state", subject?: string) {
  return toOptions(source, "explorer_getPaymentTotals", [{ by, subject, limit: 50 }], ["payment"]);
}
export function earningsQuery(source: Source, by: "resource" | "payee", limit = 100) {
  return toOptions(source, "explorer_getEarnings", [{ by, limit }], ["payment"]);
}
export function paymentSeriesQuery(
  source: Source,
  filters: Pick<PaymentFilters, "payee" | "resource"> & { asset?: string } = {},
) {
  return toOptions(source, "explorer_getPaymentSeries", [{ ...filters }], ["payment"]);
}
