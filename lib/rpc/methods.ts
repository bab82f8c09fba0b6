/**
 * Every JSON-RPC method, keyed by its wire name, with types derived from the declarations. Browser code may import only
 * types from here, because importing `methods` bundles zod.
 */
import type { z } from "zod";
import { adminMethods } from "@/lib/rpc/schema/admin";
import { debugMethods } from "@/lib/rpc/schema/debug";
import { debugTraceMethods } from "@/lib/rpc/schema/debugTrace";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { devMethods } from "@/lib/rpc/schema/dev";
import { devAnvilMethods } from "@/lib/rpc/schema/devAnvil";
import { ethMethods } from "@/lib/rpc/schema/eth";
import { ethAccountsMethods } from "@/lib/rpc/schema/ethAccounts";
import { ethExecuteMethods } from "@/lib/rpc/schema/ethExecute";
import { ethFeesMethods } from "@/lib/rpc/schema/ethFees";
import { ethFillMethods } from "@/lib/rpc/schema/ethFill";
import { ethFiltersMethods } from "@/lib/rpc/schema/ethFilters";
import { ethLogsMethods } from "@/lib/rpc/schema/ethLogs";
import { ethLookupsMethods } from "@/lib/rpc/schema/ethLookups";
import { ethProofMethods } from "@/lib/rpc/schema/ethProof";
import { ethSimulateMethods } from "@/lib/rpc/schema/ethSimulate";
import { ethSubmitMethods } from "@/lib/rpc/schema/ethSubmit";
import { ethSubscribeMethods } from "@/lib/rpc/schema/ethSubscribe";
import { explorerMethods } from "@/lib/rpc/schema/explorer";
import { explorerAddressMethods } from "@/lib/rpc/schema/explorerAddress";
import { explorerDecodeMethods } from "@/lib/rpc/schema/explorerDecode";
import { explorerNodeMethods } from "@/lib/rpc/schema/explorerNode";
import { explorerPaymentsMethods } from "@/lib/rpc/schema/explorerPayments";
import { explorerTokenMethods } from "@/lib/rpc/schema/explorerToken";
import { explorerTransactionMethods } from "@/lib/rpc/schema/explorerTransaction";
import { netMethods } from "@/lib/rpc/schema/net";
import { otsMethods } from "@/lib/rpc/schema/ots";
import { rpcMethods } from "@/lib/rpc/schema/rpc";
import { traceMethods } from "@/lib/rpc/schema/trace";
import { txpoolMethods } from "@/lib/rpc/schema/txpool";
import { web3Methods } from "@/lib/rpc/schema/web3";

export const methods = {
  ...ethMethods,
  ...ethAccountsMethods,
  ...ethExecuteMethods,
  ...ethFeesMethods,
  ...ethFillMethods,
  ...ethFiltersMethods,
  ...ethLogsMethods,
  ...ethLookupsMethods,
  ...ethProofMethods,
  ...ethSimulateMethods,
  ...ethSubmitMethods,
  ...ethSubscribeMethods,
  ...debugMethods,
  ...debugTraceMethods,
  ...traceMethods,
  ...otsMethods,
  ...netMethods,
  ...web3Methods,
  ...txpoolMethods,
  ...adminMethods,
  ...devMethods,
  ...devAnvilMethods,
  ...rpcMethods,
  ...explorerMethods,
  ...explorerDecodeMethods,
  ...explorerAddressMethods,
  ...explorerNodeMethods,
  ...explorerTokenMethods,
  ...explorerTransactionMethods,
  ...explorerPaymentsMethods,
};

export type Methods = typeof methods;
export type MethodName = keyof Methods;
/** A method's params in the form that a caller writes. */
export type RpcParams<Name extends MethodName> = z.input<Methods[Name]["params"]>;
/** A method's params in the form that a handler receives. */
export type DecodedParams<Name extends MethodName> = z.output<Methods[Name]["params"]>;
/** A method's result in wire format. */
export type RpcResult<Name extends MethodName> = z.output<Methods[Name]["result"]>;

/** The methods without their specific types, for callers that treat all methods alike. */
export const methodList: readonly MethodDefinition[] = Object.values(methods);

const byName: ReadonlyMap<string, MethodDefinition> = new Map(methodList.map((method) => [method.name, method]));

/** Looks up a method by a name that a caller sent. */
export function findMethod(name: string): MethodDefinition | undefined {
  return byName.get(name);
}
