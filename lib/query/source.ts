/**
 * Where queries get their data: a request function bound to a network. Server components pass the node's in-process
 * one, the browser the HTTP one; nothing else differs, so a page hydrates without fetching again.
 */
import type { RpcRequest } from "@/lib/rpc/client";

export type Source = {
  /** Name of the network, the first part of every query key. */
  network: string;
  request: RpcRequest;
};

/** [network, method, params]: a query's key is the request it makes. */
export type RequestKey = readonly [network: string, method: string, params: readonly unknown[]];

/** What happening makes a query's data old. Data that follows nothing never changes. */
export type Follows = "head" | "pool" | "payment";

export function isRequestKey(key: readonly unknown[]): key is RequestKey {
  return key.length === 3 && typeof key[0] === "string" && typeof key[1] === "string" && Array.isArray(key[2]);
}
