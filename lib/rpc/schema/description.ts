/** A method's description for the console, from the endpoint's OpenRPC document. */

import { toCurlyText } from "@/lib/curlyText";
import type { RpcResult } from "@/lib/rpc/methods";
import type { MethodEffect } from "@/lib/rpc/schema/define";
import { type Field, type Shape, toField, toShape, toTypeText } from "@/lib/rpc/schema/field";

type ParamDescription = { name: string; required: boolean; type: string; field: Field };

/** One row in the list of methods. */
export type MethodEntry = { name: string; namespace: string; summary: string; effect: MethodEffect };

export type MethodDescription = MethodEntry & {
  params: ParamDescription[];
  result: Shape;
  errors: { code: number; message: string }[];
  limits: { name: string; summary: string; value: string }[];
};

export type OpenRpcDocument = RpcResult<"rpc.discover">;
type OpenRpcMethod = OpenRpcDocument["methods"][number];

export function toMethodEntry(method: OpenRpcMethod): MethodEntry {
  const { name, summary, tags } = method;
  return { name, namespace: tags[0]?.name ?? name, summary: toCurlyText(summary), effect: method["x-effect"] };
}

export function toMethodDescription(method: OpenRpcMethod): MethodDescription {
  return {
    ...toMethodEntry(method),
    params: method.params.map(({ name, required, schema }) => ({
      name,
      required,
      type: toTypeText(schema),
      field: toField(schema),
    })),
    result: toShape(method.result.schema),
    errors: method.errors,
    limits: method["x-limits"].map(({ name, summary, value }) => ({
      name,
      summary: toCurlyText(summary),
      value: String(value),
    })),
  };
}
