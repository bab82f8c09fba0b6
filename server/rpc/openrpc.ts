/**
 * Generates an endpoint's OpenRPC 1.3 document from the method declarations and the configured limits. The document
 * lists exactly the methods that the endpoint serves. The console is generated from it.
 */
import { z } from "zod";
import type { Network } from "@/lib/networks";
import { toRpcPath } from "@/lib/networks";
import { methodList } from "@/lib/rpc/methods";
import { listErrors, type MethodDefinition, toNamespace } from "@/lib/rpc/schema/define";
import { type LimitName, limitSummaries } from "@/lib/rpc/schema/limits";
import packageJson from "@/package.json" with { type: "json" };
import type { Limits } from "@/server/config/config";
import { errorCodes } from "@/server/rpc/errors";

type JsonSchema = Record<string, unknown>;

function toSchema(type: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" }) as JsonSchema;
  return schema;
}

function toMethod(definition: MethodDefinition) {
  const schema = toSchema(definition.params, "input");
  const items = (schema.prefixItems ?? []) as JsonSchema[];
  const required = typeof schema.minItems === "number" ? schema.minItems : items.length;
  return {
    name: definition.name,
    summary: definition.summary,
    tags: [{ name: toNamespace(definition.name) }],
    paramStructure: "either",
    params: definition.paramNames.map((name, position) => ({
      name,
      required: position < required,
      schema: items[position] ?? {},
    })),
    result: { name: "result", schema: toSchema(definition.result, "output") },
    errors: [
      { code: errorCodes.invalidParams, message: "Invalid params" },
      ...listErrors(definition).map(({ kind, when }) => ({ code: errorCodes[kind], message: when })),
      { code: errorCodes.limitExceeded, message: "Limit exceeded. data.limit says which one." },
    ],
    examples: definition.examples
      .filter((example) => !example.refused)
      .map((example) => ({
        name: example.summary,
        params: example.params.map((value, position) => ({ name: definition.paramNames[position] ?? "?", value })),
      })),
    "x-effect": definition.effect,
  };
}

/** Describes a limit. Bigints become decimal strings, and other limits stay JSON numbers. */
function toLimit(name: LimitName, limits: Limits) {
  const value = limits[name];
  return { name, summary: limitSummaries[name], value: typeof value === "bigint" ? String(value) : value };
}

let described: { definition: MethodDefinition; method: ReturnType<typeof toMethod> }[] | undefined;

/** `serves` returns whether the endpoint serves a method. */
export function getOpenRpcDocument(network: Network, limits: Limits, serves: (method: MethodDefinition) => boolean) {
  described ??= methodList.map((definition) => ({ definition, method: toMethod(definition) }));
  return {
    openrpc: "1.3.2",
    info: { title: `Tollscan JSON-RPC, ${network.label}`, version: packageJson.version, license: { name: "MIT" } },
    servers: [{ name: network.label, url: toRpcPath(network) }],
    methods: described
      .filter(({ definition }) => serves(definition))
      .map(({ definition, method }) => ({
        ...method,
        "x-limits": [...(definition.limits ?? []), "bodyBytes" as const, "responseBytes" as const].map((name) =>
          toLimit(name, limits),
        ),
      })),
  };
}
