/**
 * Binds methods to a network, based on the ports that the network provides. The types ensure that each declared method
 * has exactly one handler.
 */
import { type MethodName, type Methods, methodList } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { toMethodNotFound } from "@/server/rpc/errors";
import { accountsHandlers } from "@/server/rpc/handlers/accounts";
import { addressHandlers } from "@/server/rpc/handlers/address";
import { blockHandlers } from "@/server/rpc/handlers/block";
import { chartsHandlers } from "@/server/rpc/handlers/charts";
import { constantHandlers } from "@/server/rpc/handlers/constant";
import { devHandlers } from "@/server/rpc/handlers/dev";
import { devAnvilHandlers } from "@/server/rpc/handlers/devAnvil";
import { discoverHandlers } from "@/server/rpc/handlers/discover";
import { executeHandlers } from "@/server/rpc/handlers/execute";
import { explorerHandlers } from "@/server/rpc/handlers/explorer";
import { explorerTransactionHandlers } from "@/server/rpc/handlers/explorerTransaction";
import { feesHandlers } from "@/server/rpc/handlers/fees";
import { fillHandlers } from "@/server/rpc/handlers/fill";
import { filtersHandlers } from "@/server/rpc/handlers/filters";
import { lookupsHandlers } from "@/server/rpc/handlers/lookups";
import { metaHandlers } from "@/server/rpc/handlers/meta";
import { nodeHandlers } from "@/server/rpc/handlers/node";
import { otherHandlers } from "@/server/rpc/handlers/others";
import { otsHandlers } from "@/server/rpc/handlers/ots";
import { parityTraceHandlers } from "@/server/rpc/handlers/parityTrace";
import { paymentsHandlers } from "@/server/rpc/handlers/payments";
import { proofHandlers } from "@/server/rpc/handlers/proof";
import { rawHandlers } from "@/server/rpc/handlers/raw";
import { simulateHandlers } from "@/server/rpc/handlers/simulate";
import { stateHandlers } from "@/server/rpc/handlers/state";
import { submitHandlers } from "@/server/rpc/handlers/submit";
import { subscribeHandlers } from "@/server/rpc/handlers/subscribe";
import { tokenHandlers } from "@/server/rpc/handlers/token";
import { traceHandlers } from "@/server/rpc/handlers/trace";
import { transactionHandlers } from "@/server/rpc/handlers/transaction";
import { txpoolHandlers } from "@/server/rpc/handlers/txpool";
import type { Caller, Handler, ServedNetwork } from "@/server/rpc/ports";

/** One handler per method. An alias uses the handler of the method that it stands for. */
type Handlers = { [Name in MethodName as Methods[Name] extends { aliasOf: string } ? never : Name]: Handler };

const first: Handlers = {
  ...accountsHandlers,
  ...addressHandlers,
  ...blockHandlers,
  ...chartsHandlers,
  ...constantHandlers,
  ...devHandlers,
  ...devAnvilHandlers,
  ...executeHandlers,
  ...explorerHandlers,
  ...explorerTransactionHandlers,
  ...feesHandlers,
  ...fillHandlers,
  ...filtersHandlers,
  ...lookupsHandlers,
  ...metaHandlers,
  ...nodeHandlers,
  ...otsHandlers,
  ...parityTraceHandlers,
  ...paymentsHandlers,
  ...proofHandlers,
  ...rawHandlers,
  ...simulateHandlers,
  ...stateHandlers,
  ...submitHandlers,
  ...subscribeHandlers,
  ...tokenHandlers,
  ...traceHandlers,
  ...transactionHandlers,
  ...txpoolHandlers,
  ...discoverHandlers,
};
const handlers = new Map<string, Handler>(Object.entries(first));
const others = new Map<string, Handler>(Object.entries(otherHandlers));

export type NetworkMethods = {
  serves(method: MethodDefinition): boolean;
  /** Throws RpcError if the network doesn't provide the method's ports. */
  get(method: MethodDefinition): NetworkMethod;
};

/** Runs a method. `positional` has the params before decoding, in declared order. */
type NetworkMethod = (
  params: { positional: readonly unknown[]; decoded: readonly unknown[] },
  caller: Caller,
) => unknown;

/**
 * A method is served by the first handler whose ports the network provides. If there is no such handler, the method is
 * forwarded to the remote node, provided that this is allowed.
 */
export function bindMethods(served: ServedNetwork): NetworkMethods {
  const bound = new Map<string, NetworkMethod>();
  const serves = ({ name }: MethodDefinition) => bound.has(name);
  const { forward } = served;
  const ports = { ...served.ports, serves };
  const offered = { ...served, ports };
  for (const { name, aliasOf = name, isForwarded } of methodList) {
    const run = getHandler(aliasOf).bind(offered) ?? others.get(aliasOf)?.bind(offered);
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
