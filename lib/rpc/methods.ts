/**
 * Every JSON-RPC method by its wire name, with the types derived from the declarations. Importing only types from here
 * adds nothing to a browser bundle; importing `methods` brings zod.
 */
import type { z } from "zod";
import * as admin from "@/lib/rpc/schema/admin";
import * as debug from "@/lib/rpc/schema/debug";
import * as debugTrace from "@/lib/rpc/schema/debugTrace";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import * as dev from "@/lib/rpc/schema/dev";
import * as eth from "@/lib/rpc/schema/eth";
import * as ethExecute from "@/lib/rpc/schema/ethExecute";
import * as ethFees from "@/lib/rpc/schema/ethFees";
import * as ethFill from "@/lib/rpc/schema/ethFill";
import * as ethFilters from "@/lib/rpc/schema/ethFilters";
import * as ethLogs from "@/lib/rpc/schema/ethLogs";
import * as ethProof from "@/lib/rpc/schema/ethProof";
import * as ethSimulate from "@/lib/rpc/schema/ethSimulate";
import * as ethSubmit from "@/lib/rpc/schema/ethSubmit";
import * as ethSubscribe from "@/lib/rpc/schema/ethSubscribe";
import * as explorer from "@/lib/rpc/schema/explorer";
import * as explorerAddress from "@/lib/rpc/schema/explorerAddress";
import * as explorerDecode from "@/lib/rpc/schema/explorerDecode";
import * as explorerNode from "@/lib/rpc/schema/explorerNode";
import * as explorerPayments from "@/lib/rpc/schema/explorerPayments";
import * as explorerToken from "@/lib/rpc/schema/explorerToken";
import * as explorerTransaction from "@/lib/rpc/schema/explorerTransaction";
import * as net from "@/lib/rpc/schema/net";
import { rpc_discover } from "@/lib/rpc/schema/rpc";
import * as txpool from "@/lib/rpc/schema/txpool";
import * as web3 from "@/lib/rpc/schema/web3";

export const methods = {
  ...eth,
  ...ethExecute,
  ...ethFees,
  ...ethFill,
  ...ethFilters,
  ...ethLogs,
  ...ethProof,
  ...ethSimulate,
  ...ethSubmit,
  ...ethSubscribe,
  ...debug,
  ...debugTrace,
  ...net,
  ...web3,
  ...txpool,
  ...admin,
  ...dev,
  "rpc.discover": rpc_discover,
  ...explorer,
  ...explorerDecode,
  ...explorerAddress,
  ...explorerNode,
  ...explorerToken,
  ...explorerTransaction,
  ...explorerPayments,
};

export type Methods = typeof methods;
export type MethodName = keyof Methods;
/** Params as a caller writes them. */
export type RpcParams<Name extends MethodName> = z.input<Methods[Name]["params"]>;
/** Params as a handler receives them. */
export type DecodedParams<Name extends MethodName> = z.output<Methods[Name]["params"]>;
/** Result in wire format. */
export type RpcResult<Name extends MethodName> = z.output<Methods[Name]["result"]>;

/** The same, for callers that treat all methods alike. */
export const methodList: readonly MethodDefinition[] = Object.values(methods);

const byName: ReadonlyMap<string, MethodDefinition> = new Map(methodList.map((method) => [method.name, method]));

/** Looks up a method by a name from a caller. */
export function findMethod(name: string): MethodDefinition | undefined {
  return byName.get(name);
}
