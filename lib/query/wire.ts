/**
 * Names for the types of the JSON-RPC data that pages read. This file contains only types, so a page's bundle includes
 * no validators. Quantities are hex text.
 */
import type { RpcResult } from "@/lib/rpc/methods";

export type { BlockSummary, Payment, PendingSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
export type { WireBlock, WireLog, WireReceipt, WireTransaction } from "@/lib/rpc/shapes";

export type Page<Item> = { items: Item[]; next: string | null };
export type SearchResult = RpcResult<"explorer_search">["items"][number];
