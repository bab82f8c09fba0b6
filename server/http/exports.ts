/**
 * The answers of reading methods as files: /api/export/<method>.json?params=[…] is one answer, .csv is every row of a
 * list from there on. Rows are asked for page by page and written as they come, so that no list is too long.
 */
import { methods } from "@/lib/rpc/methods";
import type { Eip1193Request } from "@/server/eip1193";
import { corsHeaders, findReadOnlyAnswer, toErrorAnswer } from "@/server/http/answers";
import { csvContentType, toCsvLine } from "@/server/http/csv";
import type { HttpHandler, HttpResponse } from "@/server/http/types";

/** Reads that answer at once; what runs code or changes anything stays with JSON-RPC. */
const readingMethod = /^(explorer_(get|search)|eth_get|debug_getRaw|txpool_status)[A-Za-z]*$/;
const pageRows = 100;

type Row = Record<string, unknown>;
type ListPage = { items: Row[]; next: string | null };
type Wanted = { request: Eip1193Request; method: string; params: unknown[]; signal: AbortSignal | undefined };

/** One path per reading method and format. findRequest answers a network's JSON-RPC, the default one's for null. */
export function createExportRoutes(
  findRequest: (network: string | null) => Eip1193Request | undefined,
): Record<string, HttpHandler> {
  const handler = createExportHandler(findRequest);
  return Object.fromEntries(
    Object.keys(methods)
      .filter((name) => readingMethod.test(name))
      .flatMap((name) => ["json", "csv"].map((format) => [`/api/export/${name}.${format}`, handler])),
  );
}

function createExportHandler(findRequest: (network: string | null) => Eip1193Request | undefined): HttpHandler {
  return async ({ method: verb, path, query, signal }) => {
    const refusal = findReadOnlyAnswer(verb);
    if (refusal) return refusal;
    const [, method = "", format] = /\/([A-Za-z_]+)\.(json|csv)$/.exec(path) ?? [];
    const params = readParams(query.get("params"));
    if (!params) return toErrorAnswer(400, "params must be a JSON array, as a JSON-RPC request has it.");
    const request = findRequest(query.get("network"));
    if (!request) return toErrorAnswer(404, `There is no network ${query.get("network")}.`);
    try {
      const wanted = { request, method, params, signal };
      return format === "csv" ? await toCsvAnswer(wanted) : await toJsonFile(wanted);
    } catch (error) {
      return toErrorAnswer(400, error instanceof Error ? error.message : "The request failed.");
    }
  };
}

function readParams(text: string | null): unknown[] | undefined {
  if (text === null) return [];
  try {
    const params: unknown = JSON.parse(text);
    return Array.isArray(params) ? params : undefined;
  } catch {
    return undefined;
  }
}

async function toJsonFile({ request, method, params }: Wanted): Promise<HttpResponse> {
  const answer = await request({ method, params });
  return {
    status: 200,
    headers: { ...corsHeaders, "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(answer ?? null),
  };
}

/** The first page is asked before the answer begins, so that a bad request is told as one. */
async function toCsvAnswer(wanted: Wanted): Promise<HttpResponse> {
  const { params } = wanted;
  const last = params.at(-1);
  const hasPage = typeof last === "object" && last !== null && ("limit" in last || "before" in last || "after" in last);
  const page = hasPage ? (last as Row) : {};
  const rest = hasPage ? params.slice(0, -1) : params;
  const ask = async (cursor: Row): Promise<ListPage> => {
    const answer = await wanted.request({
      method: wanted.method,
      params: [...rest, { ...page, ...cursor, limit: pageRows }],
    });
    if (!isListPage(answer)) throw new Error(`${wanted.method} answers no list; ask for it as .json.`);
    return answer;
  };
  const cursorName = ascending.has(wanted.method) ? "after" : "before";
  const first = await ask({});
  const columns = Object.keys(first.items[0] ?? {});
  const encoder = new TextEncoder();
  const write = (rows: Row[]) =>
    encoder.encode(rows.map((row) => toCsvLine(columns.map((name) => row[name]))).join(""));
  let next = first.next;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(toCsvLine(columns)));
      controller.enqueue(write(first.items));
      if (next === null) controller.close();
    },
    async pull(controller) {
      // A reader that went away is not read for: the list may be the whole chain.
      if (wanted.signal?.aborted) return controller.close();
      const part = await ask({ [cursorName]: next });
      next = part.next;
      controller.enqueue(write(part.items));
      if (next === null) controller.close();
    },
  });
  return {
    status: 200,
    headers: {
      ...corsHeaders,
      "content-type": csvContentType,
      "content-disposition": `attachment; filename="${wanted.method}.csv"`,
      "cache-control": "no-store",
    },
    body,
  };
}

/** Lists that ascend are continued by after; they are few, and their declarations say so. */
const ascending = new Set(["explorer_getBlockTransactions", "explorer_getHoldings", "explorer_getStorage"]);

function isListPage(answer: unknown): answer is ListPage {
  return typeof answer === "object" && answer !== null && Array.isArray((answer as ListPage).items) && "next" in answer;
}
