/**
 * The OpenRPC 1.3 document of the endpoint, derived from the method declarations alone.
 */
import { z } from "zod";
import type { Network } from "@/lib/networks";
import { toRpcPath } from "@/lib/networks";
import { methods } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import packageJson from "@/package.json" with { type: "json" };

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
    paramStructure: "either",
    params: definition.paramNames.map((name, position) => ({
      name,
      required: position < required,
      schema: items[position] ?? {},
    })),
    result: { name: "result", schema: toSchema(definition.result, "output") },
    examples: definition.examples
      .filter((example) => !example.refused)
      .map((example) => ({
        name: example.summary,
        params: example.params.map((value, position) => ({ name: definition.paramNames[position] ?? "?", value })),
      })),
  };
}

let described: ReturnType<typeof toMethod>[] | undefined;

export function getOpenRpcDocument(network: Network) {
  described ??= Object.values(methods).map((definition) => toMethod(definition as unknown as MethodDefinition));
  return {
    openrpc: "1.3.2",
    info: { title: `Tollscan JSON-RPC, ${network.label}`, version: packageJson.version, license: { name: "MIT" } },
    servers: [{ name: network.label, url: toRpcPath(network) }],
    methods: described,
  };
}
