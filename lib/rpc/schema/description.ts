/**
 * A method as the console shows it: form, texts, errors and limits. It comes from the endpoint's OpenRPC document, so
 * people and programs get the same description.
 */

import type { MethodEffect } from "@/lib/rpc/schema/define";
import { type Field, type JsonSchema, type Shape, toField, toShape, toTypeText } from "@/lib/rpc/schema/field";

type ParamDescription = { name: string; required: boolean; type: string; field: Field };

/** One row in the list of methods. */
export type MethodEntry = { name: string; namespace: string; summary: string; effect: MethodEffect };

export type MethodDescription = MethodEntry & {
  params: ParamDescription[];
  result: Shape;
  errors: { code: number; message: string }[];
  limits: { name: string; summary: string; value: string }[];
};

/** The parts of an OpenRPC method that the console uses. */
type OpenRpcMethod = {
  name: string;
  summary: string;
  tags: { name: string }[];
  params: { name: string; required: boolean; schema: JsonSchema }[];
  result: { schema: JsonSchema };
  errors: { code: number; message: string }[];
  "x-effect": MethodEffect;
  "x-limits": { name: string; summary: string; value: number | string }[];
};
export type OpenRpcDocument = { methods: OpenRpcMethod[] };

export function toMethodEntry(method: OpenRpcMethod): MethodEntry {
  const { name, summary, tags } = method;
  return { name, namespace: tags[0]?.name ?? name, summary, effect: method["x-effect"] };
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
    limits: method["x-limits"].map(({ name, summary, value }) => ({ name, summary, value: String(value) })),
  };
}
