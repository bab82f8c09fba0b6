/** Tests JSON-RPC over HTTP: the response to each verb and to each kind of invalid request. */
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
  it("returns JSON that pages of any origin may read", async () => {
    const answer = await send(chainId);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "access-control-allow-origin": "*" });
    expect(JSON.parse(String(answer.body))).toEqual({ jsonrpc: "2.0", id: 1, result: "0x279f" });
  });

  it("returns JSON-RPC errors with HTTP 200", async () => {
    expect((await send(bodyOf("{"))).status).toBe(200);
    expect((await send(bodyOf('{"jsonrpc":"2.0","id":1,"method":"nope"}'))).status).toBe(200);
  });

  it("returns an empty 204 for a notification", async () => {
    const answer = await send(bodyOf('{"jsonrpc":"2.0","method":"eth_chainId"}'));
    expect([answer.status, answer.body]).toEqual([204, ""]);
  });

  it.each([["application/json; charset=utf-8"], ["application/json-rpc"]])("accepts content type %j", async (type) => {
    expect((await send({ ...chainId, headers: { "content-type": type } })).status).toBe(200);
  });

  it.each([
    [415, { ...chainId, headers: {} }],
    [415, { ...chainId, headers: { "content-type": "text/plain" } }],
    [415, { ...chainId, headers: { "content-type": "application/x-www-form-urlencoded" } }],
    [415, { ...chainId, headers: { "content-type": "application/json", "content-encoding": "gzip" } }],
    [413, bodyOf(" ".repeat(1_001))],
  ])("rejects a bad body with status %i and a JSON-RPC error", async (status, request) => {
    const answer = await send(request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(String(answer.body))).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: expect.any(Number) },
    });
  });
});

it("allows any origin in its response to OPTIONS", async () => {
  const answer = await send({ method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*", "access-control-allow-headers": "*" });
});

it("rejects other verbs and lists the allowed ones", async () => {
  const answer = await send({ method: "PUT" });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toContain("POST");
  expect(JSON.parse(String(answer.body))).toMatchObject({ id: null, error: { code: -32600 } });
});

it("returns the OpenRPC document with every available method and a schema for each param", async () => {
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
