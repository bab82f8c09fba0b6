/**
 * JSON-RPC over HTTP: what each verb and each faulty request is answered.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { methodList } from "@/lib/rpc/methods";
import type { HttpRequest } from "@/server/http/types";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ limits: { bodyBytes: 1_000 } });
});
afterAll(() => node?.close());

const send = (request: Partial<HttpRequest>) =>
  node.handler({
    method: "POST",
    path: "/api/rpc",
    query: new URLSearchParams(),
    headers: { "content-type": "application/json" },
    body: new Uint8Array(),
    origin: "http://localhost:3000",
    ...request,
  });
const bodyOf = (text: string) => ({ body: Buffer.from(text) });
const chainId = bodyOf('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');

describe("POST", () => {
  it("answers with JSON that any page may read", async () => {
    const answer = await send(chainId);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "access-control-allow-origin": "*" });
    expect(JSON.parse(String(answer.body))).toEqual({ jsonrpc: "2.0", id: 1, result: "0x279f" });
  });

  it("answers errors with HTTP 200, as JSON-RPC over HTTP does", async () => {
    expect((await send(bodyOf("{"))).status).toBe(200);
    expect((await send(bodyOf('{"jsonrpc":"2.0","id":1,"method":"nope"}'))).status).toBe(200);
  });

  it("answers nothing to a notification", async () => {
    const answer = await send(bodyOf('{"jsonrpc":"2.0","method":"eth_chainId"}'));
    expect([answer.status, answer.body]).toEqual([204, ""]);
  });

  it.each([["application/json; charset=utf-8"], ["application/json-rpc"]])(
    "takes the content type %j",
    async (type) => {
      expect((await send({ ...chainId, headers: { "content-type": type } })).status).toBe(200);
    },
  );

  it.each([
    [415, { ...chainId, headers: {} }],
    [415, { ...chainId, headers: { "content-type": "text/plain" } }],
    [415, { ...chainId, headers: { "content-type": "application/x-www-form-urlencoded" } }],
    [415, { ...chainId, headers: { "content-type": "application/json", "content-encoding": "gzip" } }],
    [413, bodyOf(" ".repeat(1_001))],
  ])("refuses with %i and a JSON-RPC error", async (status, request) => {
    const answer = await send(request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(String(answer.body))).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: expect.any(Number) },
    });
  });
});

it("answers OPTIONS for any origin", async () => {
  const answer = await send({ method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*", "access-control-allow-headers": "*" });
});

it("refuses other verbs and says which it takes", async () => {
  const answer = await send({ method: "PUT" });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toContain("POST");
  expect(JSON.parse(String(answer.body))).toMatchObject({ id: null, error: { code: -32600 } });
});

it("gives the OpenRPC document, with every method that is served and a schema for each param", async () => {
  const answer = await send({ method: "GET" });
  const document = JSON.parse(String(answer.body));
  expect(document.openrpc).toMatch(/^1\.3\./);
  expect(document.methods.map(({ name }: { name: string }) => name).toSorted()).toEqual(
    methodList
      .filter(({ requires }) => requires !== "devControls")
      .map(({ name }) => name)
      .toSorted(),
  );
  for (const { name, params, result } of document.methods) {
    for (const param of params) expect(Object.keys(param.schema), `${name} ${param.name}`).not.toHaveLength(0);
    expect(Object.keys(result.schema), name).not.toHaveLength(0);
  }
});
