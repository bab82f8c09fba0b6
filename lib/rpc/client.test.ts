/** Tests how the JSON-RPC client handles each kind of response, and that the client imports nothing but types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRpcRequest } from "@/lib/rpc/client";

const answering = (body: string, seen: unknown[] = [], status = 200) =>
  createRpcRequest("http://node/api/rpc", async (_url, init) => {
    seen.push(JSON.parse(String(init?.body)));
    return new Response(body, { status });
  });

describe("createRpcRequest", () => {
  it("sends each request with a new id", async () => {
    const seen: unknown[] = [];
    const request = answering('{"jsonrpc":"2.0","id":1,"result":"0x1"}', seen);
    expect(await request({ method: "eth_blockNumber" })).toBe("0x1");
    await request({ method: "eth_getBalance", params: ["0xab"] });
    expect(seen).toEqual([
      { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] },
      { jsonrpc: "2.0", id: 2, method: "eth_getBalance", params: ["0xab"] },
    ]);
  });

  it("returns null if the result is null", async () => {
    const request = answering('{"jsonrpc":"2.0","id":1,"result":null}');
    expect(await request({ method: "eth_getTransactionByHash", params: ["0x"] })).toBeNull();
  });

  it("rejects with the error's code, message and data, whatever the HTTP status", async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"execution reverted","data":"0x12"}}';
    await expect(answering(body, [], 413)({ method: "eth_chainId" })).rejects.toMatchObject({
      name: "RpcError",
      code: 3,
      message: "execution reverted",
      data: "0x12",
    });
  });

  it.each([["<html>"], [""], ["[]"], ["null"], ['"text"'], ['{"id":1}']])(
    "rejects with a TransportError if the response is %j",
    async (body) => {
      await expect(answering(body, [], 502)({ method: "eth_chainId" })).rejects.toMatchObject({
        name: "TransportError",
        message: "The endpoint returned HTTP 502 without a JSON-RPC response.",
      });
    },
  );
});

it("imports only types", () => {
  const source = readFileSync(join(import.meta.dirname, "client.ts"), "utf8");
  const imports = source.match(/^import .*$/gm) ?? [];
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
});
