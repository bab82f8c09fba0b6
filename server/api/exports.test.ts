/** Tests exports from a complete node: every row of a list, one result as JSON, and methods that cannot be exported. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { methodList } from "@/lib/rpc/methods";
import { createExportRoutes } from "@/server/api/exports";
import { createFixedChain } from "@/server/rpc/testing/fixedChain";
import type { TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
let routes: ReturnType<typeof createExportRoutes>;
beforeAll(async () => {
  node = await createFixedChain();
  routes = createExportRoutes((name) => (name === null || name === "testnet" ? node.request : undefined));
});
afterAll(() => node?.close());

async function get(file: string, query: Record<string, string> = {}, method = "GET") {
  const path = `/api/export/${file}`;
  const handler = routes[path];
  if (!handler) return undefined;
  const answer = await handler({
    method,
    path,
    query: new URLSearchParams(query),
    headers: {},
    body: new Uint8Array(),
    origin: "http://localhost",
  });
  return { status: answer.status, text: await new Response(answer.body as BodyInit).text() };
}

describe("exports", () => {
  it("writes every row of a list, across all pages", async () => {
    const asked: unknown[] = [];
    const items = Array.from({ length: 250 }, (_, index) => ({
      index,
      note: index === 0 ? '=1,"a"' : null,
      list: [1],
    }));
    const counting = createExportRoutes(() => async ({ params }) => {
      const [{ before = "0", limit }] = params as [{ before?: string; limit: number }];
      asked.push(params);
      const end = Number(before) + limit;
      return { items: items.slice(Number(before), end), next: end < items.length ? String(end) : null };
    });
    const answer = await counting["/api/export/explorer_getBlocks.csv"]!({
      method: "GET",
      path: "/api/export/explorer_getBlocks.csv",
      query: new URLSearchParams(),
      headers: {},
      body: new Uint8Array(),
      origin: "http://localhost",
    });
    const lines = (await new Response(answer.body as BodyInit).text()).split("\r\n");
    expect(lines[0]).toBe("index,note,list");
    expect(lines[1]).toBe(`0,"'=1,""a""",[1]`);
    expect(lines.slice(1, -1).map((line) => Number(line.split(",")[0]))).toEqual(items.map(({ index }) => index));
    expect(asked).toHaveLength(3);
  });

  it("continues from a cursor with the rows that the method returns", async () => {
    const blocks = await get("explorer_getBlocks.csv", { network: "testnet" });
    expect(blocks?.text.trim().split("\r\n")).toHaveLength(9);
    const later = await get("explorer_getBlocks.csv", { params: '[{"before":"0x3"}]' });
    expect(
      later?.text
        .trim()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[0]),
    ).toEqual(["0x2", "0x1", "0x0"]);
    const token = node.network.tokens[0]!.address;
    const holders = await get("explorer_getHolders.csv", { params: JSON.stringify([token, { limit: 2 }]) });
    expect(holders?.text.trim().split("\r\n")).toHaveLength(11);
  });

  it.each([
    ["explorer_getPaymentTotals", [{ by: "resource" }], [{ by: "resource", limit: 100 }]],
    ["explorer_getStorage", ["0x1"], ["0x1", undefined, { limit: 100 }]],
  ])("pages through %s with `after` in its page parameter", async (method, params, expected) => {
    const asked: unknown[][] = [];
    const counting = createExportRoutes(() => async (request) => {
      asked.push(request.params as unknown[]);
      return { items: [{ row: asked.length }], next: asked.length === 1 ? "next" : null };
    });
    const path = `/api/export/${method}.csv`;
    const answer = await counting[path]!({
      method: "GET",
      path,
      query: new URLSearchParams({ params: JSON.stringify(params) }),
      headers: {},
      body: new Uint8Array(),
      origin: "http://localhost",
    });
    expect(await new Response(answer.body as BodyInit).text()).toBe("row\r\n1\r\n2\r\n");
    const page = expected.at(-1) as object;
    expect(asked).toEqual([expected, [...expected.slice(0, -1), { ...page, after: "next" }]]);
  });

  it("returns a single result as JSON", async () => {
    const answer = await get("eth_getBlockByNumber.json", { params: '["0x1",false]' });
    expect(JSON.parse(answer!.text)).toMatchObject({ number: "0x1" });
  });

  it("does not export methods that change something", async () => {
    expect(await get("eth_getFilterChanges.json", { params: '["0x1"]' })).toBeUndefined();
    expect(await get("eth_getFilterLogs.json", { params: '["0x1"]' })).toMatchObject({ status: 400 });
    const exported = methodList.filter(({ name }) => `/api/export/${name}.json` in routes);
    expect([...new Set(exported.map(({ effect }) => effect))].sort()).toEqual(["reads", "runs"]);
  });

  it("rejects invalid requests with the matching status", async () => {
    expect(await get("eth_sendRawTransaction.json")).toBeUndefined();
    expect(await get("debug_traceTransaction.json")).toBeUndefined();
    expect((await get("explorer_getBlocks.csv", { params: "{" }))?.status).toBe(400);
    expect((await get("explorer_getBlocks.csv", { params: '[{"limit":1,"before":"x"}]' }))?.status).toBe(400);
    expect((await get("eth_getBlockByNumber.csv", { params: '["0x1"]' }))?.status).toBe(400);
    expect((await get("explorer_getBlocks.csv", { network: "elsewhere" }))?.status).toBe(404);
    expect((await get("explorer_getBlocks.csv", {}, "POST"))?.status).toBe(405);
  });
});
