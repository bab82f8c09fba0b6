/**
 * The JSON-RPC methods of a public network: reads and transactions are forwarded to its node, payments come from our
 * ledger, and lists are built from the node's data. Params are validated before any request is sent.
 */
import { findMethod } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { log } from "@/server/log/log";
import type { PublicNetworkView } from "@/server/remote/remoteNetwork";
import type { RpcContext } from "@/server/rpc/context";
import { createDispatch, type Dispatcher, readParams } from "@/server/rpc/dispatch";
import { findRpcError, toInternalError, toMethodNotFound, toNoEvents, toServerError } from "@/server/rpc/errors";
import { toResultText } from "@/server/rpc/finalAnswers";
import * as constant from "@/server/rpc/handlers/constant";
import * as decode from "@/server/rpc/handlers/decode";
import * as paymentHandlers from "@/server/rpc/handlers/payments";
import { getOpenRpcDocument } from "@/server/rpc/openrpc";
import { explorerHandlers } from "@/server/rpc/remote/explorer";
import { createStatistics } from "@/server/rpc/statistics";
import { PublicNodeError } from "@/server/upstream/httpRequest";

/** Our handlers that need no local chain. */
const own: Record<string, unknown> = {
  ...constant,
  "rpc.discover": ({ network, limits }: RpcContext) => getOpenRpcDocument(network, limits, serves),
  ...decode,
  ...paymentHandlers,
};

/** A forwarded filter lives on the upstream node; a provider with many nodes may not find it on the next request. */
function serves({ name, isForwarded = false }: MethodDefinition): boolean {
  return Object.hasOwn(explorerHandlers, name) || Object.hasOwn(own, name) || isForwarded;
}

type AnyHandler = (context: unknown, ...params: readonly unknown[]) => unknown;

/** The dispatcher's call rejects only with RpcError. */
export function createPublicDispatcher(view: PublicNetworkView): Dispatcher {
  const { network, limits, request, payments } = view;
  const context: Pick<RpcContext, "network" | "limits" | "payments"> = { network, limits, payments };

  const statistics = createStatistics();

  const call: Dispatcher["call"] = async (method, params) => {
    const definition = findMethod(method);
    const lists = Object.hasOwn(explorerHandlers, method) ? method : undefined;
    if (definition?.effect === "follows") throw toNoEvents(method);
    if (definition && !serves(definition) && method.startsWith("explorer_")) {
      throw toServerError(`${method} is answered for chains made here alone; ${network.name} is on a public node`);
    }
    if (!definition || !serves(definition)) throw toMethodNotFound(method);
    const startedAt = performance.now();
    let failed = true;
    try {
      const { positional, decoded } = readParams(definition, params);
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
