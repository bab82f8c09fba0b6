/**
 * GET /api/payments.csv: a network's ledger as CSV, newest first, read page by page as the client consumes it. Cells
 * are escaped so that a spreadsheet does not run them as formulas.
 */
import type { Hex } from "@/lib/x402/types";
import { toGetHandler } from "@/server/api/facilitator/getHandler";
import { csvContentType, toCsvLine } from "@/server/http/csv";
import { toJsonResponse, withCors } from "@/server/http/openAnswers";
import type { HttpHandler } from "@/server/http/types";
import type { PaymentFilter, PaymentRecord, PaymentStore } from "@/server/ports/store";

export type CsvNetwork = { network: { name: string; chainId: number }; store: PaymentStore };

const pageRows = 500;

const columns: [name: string, toCell: (record: PaymentRecord) => string | number | bigint | undefined][] = [
  ["id", ({ id }) => id],
  ["created", ({ createdAtMs }) => new Date(createdAtMs).toISOString()],
  ["changed", ({ changedAtMs }) => new Date(changedAtMs).toISOString()],
  ["network", ({ network }) => network],
  ["scheme", ({ scheme }) => scheme],
  ["state", ({ state }) => state],
  ["reason", ({ reason }) => reason],
  ["resource", ({ resource }) => resource],
  ["payer", ({ payer }) => payer],
  ["payee", ({ payee }) => payee],
  ["asset", ({ asset }) => asset],
  ["amount_units", ({ amountUnits }) => amountUnits],
  ["settled_units", ({ settledUnits }) => settledUnits],
  ["refunded_units", ({ refundedUnits }) => refundedUnits],
  ["transaction", ({ transaction }) => transaction],
  ["refund_transaction", ({ refundTransaction }) => refundTransaction],
  ["refund_of", ({ refundOf }) => refundOf],
  ["gas_used", ({ gasUsed }) => gasUsed],
  ["gas_cost_wei", ({ gasCostWei }) => gasCostWei],
];

/**
 * `?network=` accepts a name or a chain ID and defaults to the first network; `payer`, `payee`, `resource` and `state`
 * filter the rows.
 */
export function createPaymentsCsvHandler(networks: readonly CsvNetwork[]): HttpHandler {
  return toGetHandler(({ query }) => {
    const wanted = query.get("network");
    const found = networks.find(
      ({ network }) => wanted === null || network.name === wanted || String(network.chainId) === wanted,
    );
    if (!found) {
      const names = networks.map(({ network }) => network.name).join(", ");
      return toJsonResponse(404, { error: `Unknown network. Available networks: ${names || "none"}.` });
    }
    const filter = readFilter(query);
    if (filter === "invalid") {
      return toJsonResponse(400, { error: "Use at most one filter: payer or payee (an address), resource or state." });
    }
    const headers = {
      "content-type": csvContentType,
      "content-disposition": `attachment; filename="payments-${found.network.name}.csv"`,
      "cache-control": "no-store",
    };
    return withCors({ status: 200, headers, body: toCsvStream(found.store, filter) });
  });
}

function readFilter(query: URLSearchParams): PaymentFilter | undefined | "invalid" {
  const given = ["payer", "payee", "resource", "state"].filter((name) => query.has(name));
  const [name, another] = given;
  if (name === undefined) return undefined;
  const value = query.get(name) ?? "";
  if (another !== undefined || value.length > 4096) return "invalid";
  if (name === "resource") return { resource: value };
  if (name === "state") return /^[a-z]{1,16}$/.test(value) ? { state: value as PaymentRecord["state"] } : "invalid";
  const address = value.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(address)) return "invalid";
  return name === "payer" ? { payer: address as Hex } : { payee: address as Hex };
}

function toCsvStream(store: PaymentStore, filter: PaymentFilter | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before: PaymentRecord | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(toCsvLine(columns.map(([name]) => name))));
    },
    // Called when the client can take more data, so at most one page is in memory even if the client is slow.
    async pull(controller) {
      const rows = await store.listPayments({
        limit: pageRows,
        ...(before && { before }),
        ...(filter && { filter }),
      });
      const lines = rows.map((row) => toCsvLine(columns.map(([, toCell]) => toCell(row))));
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      before = rows.at(-1);
      if (rows.length < pageRows) controller.close();
    },
  });
}
