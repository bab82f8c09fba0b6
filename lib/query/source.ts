/**
 * Where queries get their data: a function that sends requests to a network. Server components use the node's
 * in-process function, and browsers use HTTP. The queries are the same in both cases, so a page hydrates without
 * fetching again.
 */
import type { RpcRequest } from "@/lib/rpc/client";

export type Source = {
  /** The network's name, which is the first part of every query key. */
  network: string;
  request: RpcRequest;
};

/** A query's key is its request: [network, method, params]. */
export type RequestKey = readonly [network: string, method: string, params: readonly unknown[]];

/** The events that make a query's data outdated. If a query follows no event, its data never changes. */
export type Follows = "head" | "pool" | "payment";

export function isRequestKey(key: readonly unknown[]): key is RequestKey {
  return key.length === 3 && typeof key[0] === "string" && typeof key[1] === "string" && Array.isArray(key[2]);
}
