/**
 * The facilitator's GET endpoints: the outcome of a settlement, and discovery of paid resources. Outcomes are settled,
 * rejected, or unknown while it cannot be determined.
 */
import { getReason } from "@/lib/x402/reason";
import type { Hex } from "@/lib/x402/types";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { PaymentRecord } from "@/server/ports/store";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { isDone } from "@/server/x402/facilitator/payment";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";

/** Path of the settlement handler, without the id. */
export const settlementsPath = "/api/facilitator/settlements";

/**
 * A payment's settlement as its parties may see it. Amounts are decimal strings in the smallest unit; times are ISO
 * 8601.
 */
export type SettlementStatus = {
  id: Hex;
  outcome: "settled" | "rejected" | "unknown";
  state: PaymentRecord["state"];
  reason: string | null;
  network: string;
  scheme: string;
  asset: Hex;
  payer: Hex;
  payee: Hex;
  amount: string;
  settledAmount: string | null;
  transaction: Hex | null;
  refundOf: Hex | null;
  refundedAmount: string | null;
  refundTransaction: Hex | null;
  validBefore: string;
  steps: { state: PaymentRecord["state"]; at: string }[];
};

/** A client above the rate limit is refused with 429: any of these requests may read the chain. */
export function createReadHandlers(
  facilitator: Facilitator,
  rateLimit?: RateLimit,
): Record<"settlements" | "discoveryResources" | "discoverySearch", HttpHandler> {
  function toGetHandler(answer: (request: HttpRequest) => Promise<HttpResponse>): HttpHandler {
    return async (request) => {
      if (request.method === "OPTIONS") return toPreflightResponse(["GET"]);
      if (request.method !== "GET") {
        return toJsonResponse(405, { error: "Only GET is answered here." }, { allow: "GET, OPTIONS" });
      }
      const waitSeconds = (await rateLimit?.take(toClientKey(request))) ?? 0;
      if (waitSeconds === 0) return answer(request);
      return toJsonResponse(429, { error: getReason("rate_limited").cause }, { "retry-after": String(waitSeconds) });
    };
  }

  return {
    settlements: toGetHandler(async ({ path }) => {
      const id = path
        .replace(/\/$/, "")
        .slice(path.lastIndexOf("/", path.length - 2) + 1)
        .toLowerCase();
      if (!/^0x[0-9a-f]{64}$/.test(id)) {
        const error =
          "A settlement is named by its payment's id or its transaction's hash, 0x and 64 hexadecimal digits.";
        return toJsonResponse(400, { error });
      }
      let found: PaymentRecord[];
      try {
        found = await facilitator.findPayments(id as Hex);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        return toJsonResponse(503, { error: "The network does not answer." }, { "retry-after": "1" });
      }
      const [only] = found;
      if (!only) return toJsonResponse(404, { error: "This facilitator knows no such payment." });
      if (only.id === id) return toJsonResponse(200, toStatus(only));
      return toJsonResponse(200, { transaction: id, settlements: found.map(toStatus) });
    }),

    discoveryResources: toGetHandler(async ({ query }) => {
      const limit = findCount(query, "limit", 20, 100);
      const offset = findCount(query, "offset", 0, 1_000_000);
      if (limit === undefined || offset === undefined) {
        return toJsonResponse(400, { error: "limit is a number up to 100, and offset a number." });
      }
      const found = await facilitator.listResources(toFilter(query));
      const items = found.slice(offset, offset + limit);
      return toJsonResponse(200, { x402Version: 2, items, pagination: { limit, offset, total: found.length } });
    }),

    discoverySearch: toGetHandler(async ({ query }) => {
      const words = query.get("query");
      if (!words || words.length > 200) {
        return toJsonResponse(400, { error: "query takes the words to look for, up to 200 characters." });
      }
      const limit = findCount(query, "limit", 20, 100);
      const start = findCount(query, "cursor", 0, 1_000_000);
      if (limit === undefined || start === undefined) {
        return toJsonResponse(400, { error: "limit is a number up to 100, and cursor the one of an earlier answer." });
      }
      const found = await facilitator.listResources({ ...toFilter(query), query: words });
      const end = start + limit;
      return toJsonResponse(200, {
        x402Version: 2,
        resources: found.slice(start, end),
        partialResults: false,
        pagination: { limit, cursor: end < found.length ? String(end) : null },
      });
    }),
  };
}

function toStatus(record: PaymentRecord): SettlementStatus {
  const { settledUnits, refundedUnits } = record;
  return {
    id: record.id,
    outcome: toOutcome(record),
    state: record.state,
    reason: record.reason ?? null,
    network: record.network,
    scheme: record.scheme,
    asset: record.asset,
    payer: record.payer,
    payee: record.payee,
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

/** A payment not sent yet may still be sent, and one sent but not seen may already be included. */
function toOutcome(record: PaymentRecord): SettlementStatus["outcome"] {
  if (isDone(record)) return "settled";
  const { state, reason } = record;
  return (state === "failed" && reason !== "unexpected_error") || state === "expired" ? "rejected" : "unknown";
}

/** validBefore can exceed the range of Date. */
function toIso(ms: number): string {
  return new Date(Math.min(ms, 8.64e15)).toISOString();
}

function findCount(query: URLSearchParams, name: string, fallback: number, most: number): number | undefined {
  const text = query.get(name) ?? String(fallback);
  const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return count <= most ? count : undefined;
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
