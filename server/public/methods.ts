/**
 * The JSON-RPC surface of a public network: what reads or sends is passed on to its node, payments come from our
 * ledger, lists from what the node can tell. Params are checked as on our own chains before anything leaves.
 */
import { type MethodName, methods } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { getMethodNote, isDeveloperMethod } from "@/lib/rpc/schema/notes";
import type { Chain } from "@/server/chain/chain";
import { log } from "@/server/log";
import { explorerHandlers } from "@/server/public/explorer";
import { PublicNodeError } from "@/server/public/httpRequest";
import type { PublicNetworkView } from "@/server/public/view";
import type { RpcContext } from "@/server/rpc/context";
import { createDispatch, type Dispatcher, readParams } from "@/server/rpc/dispatch";
import { findRpcError, toInternalError, toMethodNotFound, toNoEvents, toServerError } from "@/server/rpc/errors";
import { toResultText } from "@/server/rpc/finalAnswers";
import * as decode from "@/server/rpc/handlers/decode";
import * as meta from "@/server/rpc/handlers/meta";
import * as payments from "@/server/rpc/handlers/payments";
import { getOpenRpcDocument } from "@/server/rpc/openrpc";
import { createStatistics } from "@/server/rpc/statistics";

const { eth_accounts, eth_chainId, net_listening, net_version, web3_sha3 } = meta;
/** Handlers of ours that need no chain of ours. */
const own: Record<string, unknown> = {
  eth_accounts,
  eth_chainId,
  net_listening,
  net_version,
  web3_sha3,
  "rpc.discover": ({ network, limits }: RpcContext) => getOpenRpcDocument(network, limits, serves),
  explorer_decode: decode.explorer_decode,
  ...payments,
};

/**
 * What the standard names and a node answers by itself: reads, sends and polled filters. A filter lives at the node: where
 * that is many, it may say that it knows it not, and its word is given on. What comes by events is left out, because a
 * node is asked by HTTP alone; filling in a transaction is known to few nodes.
 */
function isPassedOn(method: string): boolean {
  if (!/^((eth|debug)_|web3_clientVersion$)/.test(method) || method === "eth_fillTransaction") return false;
  return !isFollowing(method) && !isDeveloperMethod(method);
}

function isFollowing(method: string): boolean {
  return getMethodNote(method).effect === "follows";
}

function serves(method: string): boolean {
  return Object.hasOwn(explorerHandlers, method) || Object.hasOwn(own, method) || isPassedOn(method);
}

type AnyHandler = (context: unknown, ...params: readonly unknown[]) => unknown;

/** Builds the surface. Its call rejects with RpcError alone. */
export function createPublicDispatcher(view: PublicNetworkView): Dispatcher {
  const { network, limits, request } = view;
  // Those handlers read the ledger where a chain of ours keeps it, beside the blocks.
  const chain = { store: view.payments } as unknown as Chain;
  const context: Pick<RpcContext, "network" | "limits" | "chain"> = { network, limits, chain };

  const statistics = createStatistics();

  const call: Dispatcher["call"] = async (method, params) => {
    const definition = Object.hasOwn(methods, method) ? (methods[method as MethodName] as unknown) : undefined;
    const lists = Object.hasOwn(explorerHandlers, method) ? method : undefined;
    if (definition && isFollowing(method)) throw toNoEvents(method);
    if (definition && !serves(method) && method.startsWith("explorer_")) {
      throw toServerError(`${method} is answered for chains made here alone; ${network.name} is on a public node`);
    }
    if (!definition || !serves(method)) throw toMethodNotFound(method);
    const startedAt = performance.now();
    let failed = true;
    try {
      const { positional, decoded } = readParams(definition as MethodDefinition, params);
      const answer = async () => {
        if (lists) return (explorerHandlers[lists as keyof typeof explorerHandlers] as AnyHandler)(view, ...decoded);
        if (Object.hasOwn(own, method)) return (own[method] as AnyHandler)(context, ...decoded);
        return request({ method, params: positional });
      };
      const result = await answer();
      failed = false;
      return result;
    } catch (error) {
      const known = findRpcError(error);
      if (known) throw known;
      if (error instanceof PublicNodeError) throw toServerError(error.message);
      log.error("A JSON-RPC handler failed", error, { method, network: network.name });
      throw toInternalError();
    } finally {
      statistics.record(method, performance.now() - startedAt, failed);
    }
  };
  const dispatch = createDispatch(limits, async (...method) => toResultText(await call(...method)));
  return { ...dispatch, call, statistics, close: () => undefined };
}
