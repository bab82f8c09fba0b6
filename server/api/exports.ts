/**
 * Serves the results of read methods as downloads: /api/export/<method>.json?params=[…] returns one result, and the
 * same path with .csv returns every row of a list, starting at the cursor in `params`. CSV rows are streamed page by
 * page.
 */
import { methodList } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import { corsHeaders, findReadOnlyAnswer, toErrorAnswer } from "@/server/http/answers";
import { csvContentType, toCsvLine } from "@/server/http/csv";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import type { Eip1193Request } from "@/server/ports/eip1193";

const pageRows = 100;

type Row = Record<string, unknown>;
type ListPage = { items: Row[]; next: string | null };
type Wanted = {
  request: Eip1193Request;
  definition: MethodDefinition;
  params: unknown[];
  signal: AbortSignal | undefined;
};

/**
 * One path per exported method and format. `findRequest` returns a network's JSON-RPC function; null selects the
 * default network.
 */
export function createExportRoutes(
  findRequest: (network: string | null) => Eip1193Request | undefined,
): Record<string, HttpHandler> {
  return Object.fromEntries(
    methodList
      .filter(({ isExported }) => isExported)
      .flatMap((definition) => [
        [`/api/export/${definition.name}.json`, createExportHandler(definition, toJsonFile, findRequest)],
        [`/api/export/${definition.name}.csv`, createExportHandler(definition, toCsvAnswer, findRequest)],
      ]),
  );
}

function createExportHandler(
  definition: MethodDefinition,
  toAnswer: (wanted: Wanted) => Promise<HttpResponse>,
  findRequest: (network: string | null) => Eip1193Request | undefined,
): HttpHandler {
  return async ({ method: verb, query, signal }) => {
    const refusal = findReadOnlyAnswer(verb);
    if (refusal) return refusal;
    const params = readParams(query.get("params"));
    if (!params) return toErrorAnswer(400, "params must be a JSON array, as in a JSON-RPC request.");
    const request = findRequest(query.get("network"));
    if (!request) return toErrorAnswer(404, `Unknown network: ${query.get("network")}.`);
    try {
      return await toAnswer({ request, definition, params, signal });
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

async function toJsonFile({ request, definition: { name: method }, params }: Wanted): Promise<HttpResponse> {
  const answer = await request({ method, params });
  return {
    status: 200,
    headers: { ...corsHeaders, "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: JSON.stringify(answer ?? null),
  };
}

/** Fetches the first page before the response starts, so that a bad request still gets an error status. */
async function toCsvAnswer(wanted: Wanted): Promise<HttpResponse> {
  const { request, params } = wanted;
  const { name: method, cursor: cursorName, paramNames } = wanted.definition;
  if (!cursorName)
    throw new Error(
      `Only lists can be exported as CSV, and ${method} does not return one; request ${method}.json instead.`,
    );
  const position = paramNames.length - 1;
  const page = params[position] ?? {};
  if (typeof page !== "object") throw new Error(`${paramNames[position]} must be an object.`);
  const ask = async (cursor: Row) => {
    const asked = Array.from({ length: Math.max(params.length, paramNames.length) }, (_, index) => params[index]);
    asked[position] = { ...page, ...cursor, limit: pageRows };
    return (await request({ method, params: asked })) as ListPage;
  };
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
      // Stops reading once the client is gone, because the list may span the whole chain.
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
      "content-disposition": `attachment; filename="${method}.csv"`,
      "cache-control": "no-store",
    },
    body,
  };
}
