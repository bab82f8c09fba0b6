/**
 * Binds the methods to a network by what it offers. A declared method without a handler is a type error, and so is a
 * handler without a declared method.
 */
import { type MethodName, type Methods, methodList } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { toMethodNotFound } from "@/server/rpc/errors";
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
import * as remote from "@/server/rpc/handlers/remote";
import * as search from "@/server/rpc/handlers/search";
import * as simulate from "@/server/rpc/handlers/simulate";
import * as state from "@/server/rpc/handlers/state";
import * as submit from "@/server/rpc/handlers/submit";
import * as subscribe from "@/server/rpc/handlers/subscribe";
import * as token from "@/server/rpc/handlers/token";
import * as trace from "@/server/rpc/handlers/trace";
import * as transaction from "@/server/rpc/handlers/transaction";
import * as txpool from "@/server/rpc/handlers/txpool";
import * as withoutDevControls from "@/server/rpc/handlers/withoutDevControls";
import type { Caller, Handler, ServedNetwork } from "@/server/rpc/ports";

/** One per method; an alias uses the handler of the method it stands for. */
type Handlers = { [Name in MethodName as Methods[Name] extends { aliasOf: string } ? never : Name]: Handler<Name> };

function collect<All extends Partial<Handlers>>(all: All & Record<Exclude<keyof All, keyof Handlers>, never>) {
  return new Map<string, Handler>(Object.entries<Handler>(all));
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
} satisfies Handlers);

/** Handlers of methods that a network without the ports of the first handler can still serve. */
const others = collect({ ...remote, ...withoutDevControls });

export type NetworkMethods = {
  serves(method: MethodDefinition): boolean;
  /** Throws RpcError if the network does not offer what the method needs. */
  get(method: MethodDefinition): NetworkMethod;
};

/** Runs a method. positional are the params as sent, in declared order. */
type NetworkMethod = (
  params: { positional: readonly unknown[]; decoded: readonly unknown[] },
  caller: Caller,
) => unknown;

/** A method is served by the first handler that needs nothing the network lacks, or else forwarded if it may be. */
export function bindMethods(served: ServedNetwork): NetworkMethods {
  const bound = new Map<string, NetworkMethod>();
  const serves = ({ name }: MethodDefinition) => bound.has(name);
  const { network, limits, forward } = served;
  const ports = { ...served.ports, serves };
  for (const { name, aliasOf = name, isForwarded } of methodList) {
    const run =
      getHandler(aliasOf).bind({ network, limits, ports }) ?? others.get(aliasOf)?.bind({ network, limits, ports });
    if (run) bound.set(name, ({ decoded }, caller) => run(decoded, caller));
    else if (forward && isForwarded) bound.set(name, ({ positional }) => forward({ method: name, params: positional }));
  }
  return {
    serves,
    get(method) {
      const run = bound.get(method.name);
      if (run) return run;
      const { name, aliasOf = name } = method;
      const missing = getHandler(aliasOf).needs.find((need) => ports[need] === undefined);
      throw missing ? served.refuse(method, missing) : toMethodNotFound(name);
    },
  };
}

function getHandler(name: string): Handler {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`${name} has no handler.`);
  return handler;
}
