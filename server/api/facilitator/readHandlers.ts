/**
 * The facilitator's GET endpoints: the outcome of a settlement, and discovery of paid resources. The outcome is
 * settled, rejected or unknown.
 */
import { getAddress } from "viem";
import { z } from "zod";
import type { Hex } from "@/lib/x402/types";
import { toGetHandler } from "@/server/api/facilitator/getHandler";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { RateLimit } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { PaymentRecord } from "@/server/ports/store";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { isDone } from "@/server/x402/facilitator/payment";
import { isNetworkError } from "@/server/x402/reads/jsonRpcError";

/** Path of the settlement handler, without the payment's ID at the end. */
export const settlementsPath = "/api/facilitator/settlements";

const state = z.enum(["received", "verified", "settling", "settled", "failed", "expired", "refunded"]);

/**
 * What a payment's parties may see about its settlement. Amounts are decimal strings in the smallest unit; times are
 * ISO 8601.
 */
export const settlementStatus = z.object({
  id: z.string(),
  outcome: z.enum(["settled", "rejected", "unknown"]),
  state,
  reason: z.string().nullable(),
  network: z.string(),
  scheme: z.string(),
  asset: z.string(),
  payer: z.string(),
  payee: z.string(),
  amount: z.string(),
  settledAmount: z.string().nullable(),
  transaction: z.string().nullable(),
  refundOf: z.string().nullable(),
  refundedAmount: z.string().nullable(),
  refundTransaction: z.string().nullable(),
  validBefore: z.string(),
  steps: z.array(z.object({ state, at: z.string() })),
});

type SettlementStatus = z.output<typeof settlementStatus>;

/** These requests may read the chain, so clients above the rate limit get a 429. */
export function createReadHandlers(
  facilitator: Facilitator,
  rateLimit?: RateLimit,
): Record<"settlements" | "discoveryResources" | "discoverySearch", HttpHandler> {
  return {
    settlements: toGetHandler((request) => answerSettlements(facilitator, request), rateLimit),
    discoveryResources: toGetHandler((request) => answerResources(facilitator, request), rateLimit),
    discoverySearch: toGetHandler((request) => answerSearch(facilitator, request), rateLimit),
  };
}

async function answerSettlements(facilitator: Facilitator, { path }: HttpRequest): Promise<HttpResponse> {
  const id = path.replace(/\/$/, "").split("/").at(-1)?.toLowerCase() ?? "";
  if (!isHash(id)) {
    return refuse(400, "The ID must be a payment ID or transaction hash: 0x followed by 64 hex characters.");
  }
  let found: PaymentRecord[];
  try {
    found = await facilitator.findPayments(id);
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    return toJsonResponse(503, { error: "The network is not responding." }, { "retry-after": "1" });
  }
  const [only] = found;
  if (!only) return refuse(404, "The facilitator has no record of this payment.");
  if (only.id === id) return toJsonResponse(200, toSettlementStatus(only));
  return toJsonResponse(200, { transaction: id, settlements: found.map(toSettlementStatus) });
}

async function answerResources(facilitator: Facilitator, { query }: HttpRequest): Promise<HttpResponse> {
  const limit = findCount(query, "limit", 20, 100);
  const offset = findCount(query, "offset", 0, 1_000_000);
  if (limit === undefined || offset === undefined) return refuse(400, "limit and offset must be whole numbers.");
  const { items, total } = await facilitator.listResources(toFilter(query), { offset, limit });
  return toListing("items", items, { pagination: { limit, offset, total } });
}

async function answerSearch(facilitator: Facilitator, { query }: HttpRequest): Promise<HttpResponse> {
  const words = query.get("query");
  if (!words || words.length > 200) {
    return refuse(400, "query must be 1 to 200 characters long.");
  }
  const limit = findCount(query, "limit", 20, 100);
  const start = findCount(query, "cursor", 0, 1_000_000);
  if (limit === undefined || start === undefined) {
    return refuse(400, "limit must be a whole number, and cursor must come from an earlier response.");
  }
  const { items, total } = await facilitator.listResources(
    { ...toFilter(query), query: words },
    { offset: start, limit },
  );
  const cursor = start + limit < total ? String(start + limit) : null;
  return toListing("resources", items, { partialResults: false, pagination: { limit, cursor } });
}

/** The items are stored as JSON text, so they are joined without parsing. */
function toListing(name: "items" | "resources", items: readonly string[], rest: object): HttpResponse {
  const body = `{"x402Version":2,"${name}":[${items.join(",")}],${JSON.stringify(rest).slice(1)}`;
  return { ...toJsonResponse(200, {}), body };
}

const refuse = (status: number, error: string) => toJsonResponse(status, { error });
const isHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/.test(text);

function toSettlementStatus(record: PaymentRecord): SettlementStatus {
  const { settledUnits, refundedUnits } = record;
  return {
    id: record.id,
    outcome: toOutcome(record),
    state: record.state,
    reason: record.reason ?? null,
    network: record.network,
    scheme: record.scheme,
    asset: getAddress(record.asset),
    payer: getAddress(record.payer),
    payee: getAddress(record.payee),
    amount: record.amountUnits.toString(),
    settledAmount: settledUnits === undefined || !isDone(record) ? null : settledUnits.toString(),
    transaction: record.transaction ?? null,
    refundOf: record.refundOf ?? null,
    refundedAmount: refundedUnits === undefined ? null : refundedUnits.toString(),
    refundTransaction: record.refundTransaction ?? null,
    validBefore: toIso(record.validBefore * 1000),
    steps: record.steps.map(({ state, atMs }) => ({ state, at: toIso(atMs) })),
  };
}

/**
 * The outcome of an unfinished payment is unknown: if it wasn't sent, it may still be sent; if it was, it may already
 * be in a block.
 */
function toOutcome(record: PaymentRecord): SettlementStatus["outcome"] {
  if (isDone(record)) return "settled";
  const { state, reason } = record;
  return (state === "failed" && reason !== "unexpected_error") || state === "expired" ? "rejected" : "unknown";
}

/** validBefore can be too large for a Date. */
function toIso(ms: number): string {
  return new Date(Math.min(ms, 8.64e15)).toISOString();
}

/** The number in the query, capped at the maximum. Undefined if it is not a whole number. */
function findCount(query: URLSearchParams, name: string, fallback: number, most: number): number | undefined {
  const text = query.get(name) ?? String(fallback);
  return /^\d+$/.test(text) ? Math.min(Number(text), most) : undefined;
}

function toFilter(query: URLSearchParams) {
  const find = (name: string) => query.get(name) ?? undefined;
  return {
    type: find("type"),
    payTo: find("payTo"),
    scheme: find("scheme"),
    network: find("network"),
    extensions: find("extensions"),
  };
}
