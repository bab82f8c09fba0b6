/**
 * Names for the wire shapes that pages read. Only types, so no validator reaches a page's bundle. Quantities are hex
 * text.
 */
import type { RpcResult } from "@/lib/rpc/methods";

export type { BlockSummary, Payment, PendingSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
export type { WireBlock, WireLog, WireReceipt, WireTransaction } from "@/lib/rpc/shapes";

export type Page<Item> = { items: Item[]; next: string | null };
export type SearchResult = RpcResult<"explorer_search">["items"][number];
