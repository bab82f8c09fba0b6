/**
 * Queries for the address, token, chart and node pages. Only a list's first page follows the head, because older rows
 * don't change.
 */
import { followsHead, pageSize, toOptions, toPage } from "@/lib/query/queries";
import type { Follows, Source } from "@/lib/query/source";
import type { Direction, TransferSide } from "@/lib/rpc/explorerAddressShapes";
import { toQuantity } from "@/lib/units";

export function addressQuery(source: Source, address: string) {
  return toOptions(source, "explorer_getAddress", [address], ["head"]);
}
export function addressHistoryQuery(source: Source, address: string, cursor?: string, direction?: Direction) {
  const page = { ...toPage("before", cursor), ...(direction === undefined ? {} : { direction }) };
  return toOptions(source, "explorer_getAddressTransactions", [address, page], followsHead(cursor));
}
export function internalTransfersQuery(source: Source, address: string, cursor?: string, direction?: TransferSide) {
  const page = { ...toPage("before", cursor), ...(direction === undefined ? {} : { direction }) };
  return toOptions(source, "explorer_getInternalTransfers", [address, page], followsHead(cursor));
}
export type PartyTransferFilter = { token?: string; direction?: TransferSide };
export function tokenTransfersQuery(
  source: Source,
  filter: { token: string } | ({ party: string } & PartyTransferFilter),
  cursor?: string,
) {
  return toOptions(source, "explorer_getTokenTransfers", [filter, toPage("before", cursor)], followsHead(cursor));
}
/** The rows are sorted by token in ascending order, so a change can affect any page. */
export function holdingsQuery(source: Source, address: string, cursor?: string) {
  return toOptions(source, "explorer_getHoldings", [address, toPage("after", cursor)], ["head"]);
}
/** A single page with as many rows as one request can return. Sorted by token and ID. */
export function nftsQuery(source: Source, address: string) {
  return toOptions(source, "explorer_getNfts", [address, { limit: 100 }], ["head"]);
}
/** Every transfer can change the ranks. */
export function tokensQuery(source: Source, cursor?: string) {
  return toOptions(source, "explorer_getTokens", [toPage("before", cursor)], ["head"]);
}
export function tokenQuery(source: Source, token: string) {
  return toOptions(source, "explorer_getToken", [token], ["head"]);
}
/** Every transfer can change the ranks. */
export function holdersQuery(source: Source, token: string, cursor?: string, limit = pageSize) {
  return toOptions(source, "explorer_getHolders", [token, toPage("before", cursor, limit)], ["head"]);
}
export function addressLogsQuery(
  source: Source,
  address: string,
  topics: (string | null)[],
  cursor?: string,
  limit = pageSize,
) {
  const filter = { ...toPage("before", cursor, limit), topics };
  return toOptions(source, "explorer_getLogs", [address, filter], followsHead(cursor));
}
const toBlockParam = (block: number | undefined) => (block === undefined ? "latest" : toQuantity(block));

/**
 * Reads a contract's latest storage, or its storage at the end of the given block. Storage at the end of a block never
 * changes.
 */
export function storageQuery(source: Source, address: string, block: number | undefined, cursor?: string) {
  const follows: Follows[] = block === undefined ? ["head"] : [];
  return toOptions(source, "explorer_getStorage", [address, toBlockParam(block), toPage("after", cursor)], follows);
}
/** How slots follow from mapping keys. The path to a slot never changes. */
export function slotKeysQuery(source: Source, address: string, slots: readonly string[], block: number | undefined) {
  return toOptions(source, "explorer_getSlotKeys", [address, slots, toBlockParam(block)], []);
}
export function storageSlotQuery(source: Source, address: string, slot: string) {
  return toOptions(source, "eth_getStorageAt", [address, slot, "latest"], ["head"]);
}
/** The values of up to 1,024 slots, in the same order, by address. */
export function storageValuesQuery(
  source: Source,
  address: `0x${string}`,
  slots: readonly string[],
  block: number | undefined,
) {
  const follows: Follows[] = block === undefined ? ["head"] : [];
  return toOptions(source, "eth_getStorageValues", [{ [address]: slots }, toBlockParam(block)], follows);
}
export function selectorsQuery(source: Source, address: string) {
  return toOptions(source, "explorer_getSelectors", [address], ["head"]);
}
/** How many hex digits a page keeps from a view function's result. That's enough for any name that it shows. */
const viewDigits = 4_096;
/** Calls a view function. Rejects if the call reverts. Omit `follows` for metadata that never changes. */
export function viewQuery(source: Source, to: string, data: string, follows: readonly Follows[] = []) {
  const cut = (answer: `0x${string}`) => answer.slice(0, viewDigits) as `0x${string}`;
  return toOptions(source, "eth_call", [{ to, data }, "latest"], follows, undefined, cut);
}
export function seriesQuery(source: Source, blocks: number) {
  return toOptions(source, "explorer_getSeries", [blocks], ["head", "payment"]);
}
const nodeIntervalMs = 2_000;
/** Polls, because the node's load changes without any event. */
export function nodeStatusQuery(source: Source) {
  return { ...toOptions(source, "explorer_getNodeStatus", [], ["head"]), refetchInterval: nodeIntervalMs };
}
/** Polls, because problems can appear and disappear without any event. */
export function healthQuery(source: Source) {
  return { ...toOptions(source, "explorer_getHealth", [], ["head"]), refetchInterval: nodeIntervalMs };
}
/** The node's samples from the last half hour. Also polls, but less often than the status query. */
export function nodeHistoryQuery(source: Source) {
  return { ...toOptions(source, "explorer_getNodeHistory", [180], ["head"]), refetchInterval: 10_000 };
}
export function poolQuery(source: Source) {
  return toOptions(source, "explorer_getPool", [{ limit: 200 }], ["pool", "head"]);
}
export function rawQuery(source: Source, block: `0x${string}`) {
  return toOptions(source, "debug_getRawBlock", [block], []);
}
export function rawReceiptsQuery(source: Source, block: `0x${string}`) {
  return toOptions(source, "debug_getRawReceipts", [block], []);
}
export function blockReceiptsQuery(source: Source, block: `0x${string}`) {
  return toOptions(source, "eth_getBlockReceipts", [block], []);
}
/**
 * The chain's developer settings. Null if changing them isn't allowed. Refetched on new blocks, and after a developer
 * tool runs.
 */
export function developerQuery(source: Source) {
  return toOptions(source, "explorer_getDeveloperState", [], ["head"]);
}
