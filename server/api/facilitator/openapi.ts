/**
 * GET /api/openapi.json: the payment API as an OpenAPI 3.1 document, generated from the schemas that validate messages
 * and from the catalog of paid resources.
 */
import { z } from "zod";
import { catalogPath } from "@/lib/x402/catalog";
import { wireSchemas } from "@/lib/x402/wire";
import packageJson from "@/package.json" with { type: "json" };
import { toGetHandler } from "@/server/api/facilitator/getHandler";
import { settlementStatus, settlementsPath } from "@/server/api/facilitator/readHandlers";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpHandler } from "@/server/http/types";
import { type CatalogOptions, listCatalog } from "@/server/x402/resources/catalog";

export const openApiPath = "/api/openapi.json";

type Json = Record<string, unknown>;

const listed = z.object({
  resource: z.string(),
  type: z.string(),
  x402Version: z.literal(2),
  accepts: z.array(wireSchemas.PaymentRequirements),
  lastUpdated: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
  extensions: z.record(z.string(), z.unknown()),
});
const catalogEntry = z.object({
  resource: z.string(),
  type: z.literal("http"),
  x402Version: z.literal(2),
  method: z.enum(["GET", "POST"]),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  mimeType: z.string(),
  network: z.string(),
  price: z.object({
    scheme: z.enum(["exact", "upto"]),
    amount: z.string(),
    symbol: z.string(),
    per: z.object({ unit: z.string(), amount: z.string() }).optional(),
  }),
  accepts: z.array(wireSchemas.PaymentRequirements),
  input: z.record(z.string(), z.unknown()),
  exampleBody: z.unknown().optional(),
});

const schemas = {
  ...wireSchemas,
  FacilitatorRequest: z.object({
    x402Version: z.int().min(2).optional(),
    paymentPayload: wireSchemas.PaymentPayload,
    paymentRequirements: wireSchemas.PaymentRequirements,
  }),
  SettlementStatus: settlementStatus,
  TransactionSettlements: z.object({ transaction: z.string(), settlements: z.array(settlementStatus) }),
  DiscoveredResources: z.object({
    x402Version: z.literal(2),
    items: z.array(listed),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
  FoundResources: z.object({
    x402Version: z.literal(2),
    resources: z.array(listed),
    partialResults: z.boolean(),
    pagination: z.object({ limit: z.int(), cursor: z.string().nullable() }),
  }),
  Catalog: z.object({
    x402Version: z.literal(2),
    service: z.string(),
    facilitator: z.string(),
    items: z.array(catalogEntry),
  }),
  Error: z.object({ error: z.string() }),
};
type SchemaName = keyof typeof schemas;

const ref = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });

function toComponents(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io: "output",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // Unknown fields are dropped, not rejected, so the document allows them.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(Object.entries(made.schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]));
}

const answer = (description: string, schema: Json, headers?: Json) => ({
  description,
  content: { "application/json": { schema } },
  ...(headers && { headers }),
});
const textHeader = (description: string) => ({ description, schema: { type: "string" } });
const retryHeader = { "Retry-After": textHeader("Seconds to wait before retrying.") };
const refusals = {
  "400": answer("The request is malformed.", ref("Error")),
  "429": answer("Too many requests.", ref("Error"), retryHeader),
};

function toPost(summary: string, body: Json, result: SchemaName, parameters: Json[] = []): Json {
  return {
    post: {
      tags: ["Facilitator"],
      summary,
      ...(parameters.length > 0 && { parameters }),
      requestBody: { required: true, content: { "application/json": { schema: body } } },
      responses: {
        "200": answer("Whether the payment is valid and, if not, why.", ref(result)),
        "400": answer("The message is not a valid x402 version 2 message.", ref(result)),
        "412": answer("The payer has not approved Permit2 for the amount.", ref(result)),
        "413": answer("The body is too large.", ref(result)),
        "415": answer("The content type is not application/json.", ref(result)),
        "429": answer("Too many requests.", ref(result), retryHeader),
        "503": answer("The network is not responding.", ref(result), retryHeader),
      },
    },
  };
}

const toGet = (summary: string, parameters: Json[], responses: Json): Json => ({
  get: { tags: ["Facilitator"], summary, ...(parameters.length > 0 && { parameters }), responses },
});
const query = (name: string, schema: Json, required = false): Json => ({ name, in: "query", required, schema });
const filters = ["type", "payTo", "scheme", "network", "extensions"].map((name) => query(name, { type: "string" }));
const limit = query("limit", {
  type: "integer",
  minimum: 0,
  default: 20,
  description: "Values above 100 are treated as 100.",
});

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A random value for this purchase. To get a lost response again, repeat the request with the same value.",
  schema: { type: "string" },
};

const facilitatorBody = { anyOf: [ref("FacilitatorRequest"), ref("PaymentPayload")] };

function toFacilitatorPaths(): Json {
  return {
    "/api/facilitator/supported": toGet("Supported schemes and networks, and the accounts that settle.", [], {
      "200": answer("Schemes, networks and signers.", ref("SupportedResponse")),
    }),
    "/api/facilitator/verify": toPost("Checks whether a payment would settle.", facilitatorBody, "VerifyResponse"),
    "/api/facilitator/settle": toPost(
      "Settles a payment. Success is reported only once per payment.",
      facilitatorBody,
      "SettleResponse",
      [idempotencyKey],
    ),
    "/api/facilitator/refund": toPost("Refunds a settled payment.", ref("RefundRequest"), "SettleResponse"),
    [`${settlementsPath}/{id}`]: toGet(
      "The outcome of a payment, by its ID or its transaction.",
      [{ name: "id", in: "path", required: true, schema: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$" } }],
      {
        "200": answer("For an ID, one settlement; for a transaction, every settlement in it.", {
          anyOf: [ref("SettlementStatus"), ref("TransactionSettlements")],
        }),
        ...refusals,
        "404": answer("The facilitator has no record of the payment.", ref("Error")),
        "503": answer("The network is not responding.", ref("Error"), retryHeader),
      },
    ),
    "/api/facilitator/discovery/resources": toGet(
      "Lists paid resources that publish discovery metadata.",
      [...filters, limit, query("offset", { type: "integer", minimum: 0, default: 0 })],
      { "200": answer("One page of resources.", ref("DiscoveredResources")), ...refusals },
    ),
    "/api/facilitator/discovery/search": toGet(
      "Searches discoverable paid resources by keyword.",
      [
        query("query", { type: "string", maxLength: 200 }, true),
        ...filters,
        limit,
        query("cursor", { type: "string" }),
      ],
      { "200": answer("One page of resources.", ref("FoundResources")), ...refusals },
    ),
    [catalogPath]: {
      get: {
        tags: ["Paid resources"],
        summary: "Lists all paid resources on this server.",
        responses: { "200": answer("The catalog.", ref("Catalog")) },
      },
    },
  };
}

/** One path per resource. Its network parameter lists the networks that the resource is sold on. */
function toPaidPaths(options: CatalogOptions): Json {
  const entries = listCatalog("", options);
  const names = [...new Set(entries.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const sold = entries.filter((entry) => entry.name === name);
      const [first] = sold;
      if (!first) return [`/api/paid/${name}`, {}];
      const { method, title, description, mimeType, input, exampleBody, price } = first;
      const properties = (method === "GET" ? (input.properties ?? {}) : {}) as Record<string, Json>;
      const required = new Set((input.required ?? []) as string[]);
      const operation = {
        tags: ["Paid resources"],
        summary: title,
        description: `${description} Costs ${price.scheme === "upto" ? "up to " : ""}${price.amount} in ${price.symbol}.`,
        parameters: [
          query("network", { type: "string", enum: sold.map(({ network }) => network) }),
          ...Object.entries(properties).map(([property, schema]) => query(property, schema, required.has(property))),
          {
            name: "PAYMENT-SIGNATURE",
            in: "header",
            required: false,
            description:
              "The payment: a PaymentPayload as base64-encoded JSON. Without it, the response contains the price.",
            schema: { type: "string" },
          },
        ],
        ...(method === "POST" && {
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: input, ...(exampleBody !== undefined && { example: exampleBody }) },
            },
          },
        }),
        responses: {
          "200": {
            description: "The paid content.",
            headers: { "PAYMENT-RESPONSE": textHeader("The settlement: a SettleResponse as base64-encoded JSON.") },
            content: { [mimeType]: {} },
          },
          "400": answer("The request is invalid. You were not charged.", ref("Error")),
          "402": answer("The price, in both the header and the body.", ref("PaymentRequired"), {
            "PAYMENT-REQUIRED": textHeader("A PaymentRequired as base64-encoded JSON."),
          }),
          "412": answer("The payer has not approved Permit2 for the amount.", ref("PaymentRequired")),
        },
        "x-payment-info": { protocols: ["x402"], price, accepts: sold.flatMap(({ accepts }) => accepts) },
      };
      return [`/api/paid/${name}`, { [method.toLowerCase()]: operation }];
    }),
  );
}

/** Generates the document for a server reached at `origin`. */
function getOpenApiDocument(origin: string, options: CatalogOptions): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Tollscan payment API",
      version: packageJson.version,
      description: "An x402 version 2 facilitator, and paid resources that use it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    externalDocs: { description: "JSON-RPC is described by OpenRPC", url: `${origin}/api/rpc` },
    tags: [{ name: "Facilitator" }, { name: "Paid resources" }],
    paths: { ...toFacilitatorPaths(), ...toPaidPaths(options) },
    components: { schemas: toComponents() },
  };
}

export function createOpenApiHandler(options: CatalogOptions): HttpHandler {
  return toGetHandler(({ origin }) => toJsonResponse(200, getOpenApiDocument(origin, options)));
}
