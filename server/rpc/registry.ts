/**
 * Maps each method to its handler by wire name. A declared method without a handler is a type error, and so is a
 * handler without a declared method.
 */
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import type { Handlers, RpcContext } from "@/server/rpc/context";
import * as address from "@/server/rpc/handlers/address";
import * as block from "@/server/rpc/handlers/block";
import * as charts from "@/server/rpc/handlers/charts";
import * as constant from "@/server/rpc/handlers/constant";
import * as decode from "@/server/rpc/handlers/decode";
import * as dev from "@/server/rpc/handlers/dev";
import { rpc_discover } from "@/server/rpc/handlers/discover";
import * as execute from "@/server/rpc/handlers/execute";
import * as explorer from "@/server/rpc/handlers/explorer";
import * as explorerTransaction from "@/server/rpc/handlers/explorerTransaction";
import * as fees from "@/server/rpc/handlers/fees";
import * as fill from "@/server/rpc/handlers/fill";
import * as filters from "@/server/rpc/handlers/filters";
import * as logs from "@/server/rpc/handlers/logs";
import * as meta from "@/server/rpc/handlers/meta";
import * as node from "@/server/rpc/handlers/node";
import * as payments from "@/server/rpc/handlers/payments";
import * as proof from "@/server/rpc/handlers/proof";
import * as raw from "@/server/rpc/handlers/raw";
import * as search from "@/server/rpc/handlers/search";
import * as simulate from "@/server/rpc/handlers/simulate";
import * as state from "@/server/rpc/handlers/state";
import * as submit from "@/server/rpc/handlers/submit";
import * as subscribe from "@/server/rpc/handlers/subscribe";
import * as token from "@/server/rpc/handlers/token";
import * as trace from "@/server/rpc/handlers/trace";
import * as transaction from "@/server/rpc/handlers/transaction";
import * as txpool from "@/server/rpc/handlers/txpool";

export type AnyHandler = (context: RpcContext, ...params: readonly unknown[]) => unknown;

function collect<All extends Handlers>(all: All & Record<Exclude<keyof All, keyof Handlers>, never>) {
  return new Map(Object.entries(all as Handlers as Record<string, AnyHandler>));
}

const handlers = collect({
  ...address,
  ...block,
  ...charts,
  ...constant,
  ...decode,
  ...dev,
  ...execute,
  ...explorer,
  ...explorerTransaction,
  ...fees,
  ...fill,
  ...filters,
  ...logs,
  ...meta,
  ...node,
  ...payments,
  ...proof,
  ...raw,
  ...search,
  ...simulate,
  ...state,
  ...submit,
  ...subscribe,
  ...token,
  ...trace,
  ...transaction,
  ...txpool,
  "rpc.discover": rpc_discover,
});

export function getHandler({ name, aliasOf = name }: MethodDefinition): AnyHandler {
  const handler = handlers.get(aliasOf);
  if (!handler) throw new Error(`${name} has no handler.`);
  return handler;
}
