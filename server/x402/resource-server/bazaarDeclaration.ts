/**
 * Creates a resource's bazaar declaration, which tells clients how to call the resource, with an example and a JSON
 * Schema. Payers send it back with the payment, and the facilitator catalogs it after settlement. If the example
 * doesn't match the schema, facilitators reject the declaration.
 */
import type { Extensions } from "@/lib/x402/types";
import { bazaarKey } from "@/server/x402/facilitator/discovery";

export type Described = {
  method: "GET" | "POST";
  mimeType: string;
  /** The JSON Schema of the query for GET, or of the body for POST. */
  input: Record<string, unknown>;
  exampleQuery?: Record<string, string>;
  exampleBody?: unknown;
};

/** Creates the declaration, ready to be added to a resource's extensions. */
export function toBazaarDeclaration({ method, mimeType, input, exampleQuery, exampleBody }: Described): Extensions {
  const isBody = method === "POST";
  const asked = isBody
    ? { bodyType: "json", body: exampleBody ?? {} }
    : { queryParams: toTyped(exampleQuery ?? {}, input) };
  return {
    [bazaarKey]: {
      info: {
        input: { type: "http", method, ...asked },
        output: { type: mimeType === "application/json" ? "json" : "text" },
      },
      schema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          input: {
            type: "object",
            properties: {
              type: { type: "string", const: "http" },
              method: { type: "string", enum: [method] },
              ...(isBody ? { bodyType: { type: "string", enum: ["json"] }, body: input } : { queryParams: input }),
            },
            required: ["type", "method", ...(isBody ? ["bodyType", "body"] : [])],
            additionalProperties: false,
          },
          output: { type: "object", properties: { type: { type: "string" } }, required: ["type"] },
        },
        required: ["input"],
      },
    },
  };
}

/** Converts query values to numbers if the schema declares them as numbers. In a request, all query values are text. */
function toTyped(query: Record<string, string>, { properties }: Record<string, unknown>): Record<string, unknown> {
  const types = properties as Record<string, { type?: unknown }> | undefined;
  const isNumber = (name: string) => types?.[name]?.type === "integer" || types?.[name]?.type === "number";
  return Object.fromEntries(Object.entries(query).map(([name, text]) => [name, isNumber(name) ? Number(text) : text]));
}
