/**
 * Names for the wire shapes that pages read, taken from the method declarations. Types alone: no validator reaches a
 * page's bundle. Quantities are hex text as JSON-RPC gives them.
 */
import type { RpcResult } from "@/lib/rpc/methods";

export type { BlockSummary, Payment, PendingSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
export type { WireBlock, WireLog, WireReceipt, WireTransaction } from "@/lib/rpc/shapes";

export type Page<Item> = { items: Item[]; next: string | null };
export type PoolStatus = RpcResult<"txpool_statusByHash">;
export type SearchAnswer = RpcResult<"explorer_search">;
export type SearchResult = SearchAnswer["items"][number];
