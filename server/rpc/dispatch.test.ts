/**
 * Tests JSON-RPC 2.0 against its specification: envelopes, batches, notifications and IDs. Also tests the size limits.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ limits: { batchLength: 5, responseBytes: 2_000 } });
});
afterAll(() => node?.close());

type Answer = {
  jsonrpc: string;
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
};
const post = async (body: unknown) =>
  (await node.post(typeof body === "string" ? body : JSON.stringify(body))) as Answer;
const postBatch = async (body: unknown[]) => (await node.post(JSON.stringify(body))) as unknown as Answer[];
const chainId = (id?: unknown) => ({ jsonrpc: "2.0", method: "eth_chainId", ...(id === undefined ? {} : { id }) });
const result = "0x279f";

describe("a single request", () => {
  it.each([[1], ["a"], [null], [0], [""], [-1.5]])("gets a response with its id %j", async (id) => {
    expect(await post(chainId(id))).toEqual({ jsonrpc: "2.0", id, result });
  });

  it("is a notification if it has no id, even if it fails", async () => {
    expect(await post(chainId())).toBeUndefined();
    expect(await post({ jsonrpc: "2.0", method: "no_such_method" })).toBeUndefined();
    expect(await post({ jsonrpc: "2.0", method: "eth_getBalance", params: [] })).toBeUndefined();
  });

  it.each([["{"], ["[1,"], [""], ["\u0000"], ['{"a":1}}']])(
    "gets a parse error if it is not JSON: %j",
    async (body) => {
      expect(await post(body)).toMatchObject({ id: null, error: { code: -32700 } });
    },
  );

  it("is refused without parsing if it is nested so deeply that parsing would delay other requests", async () => {
    const params = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
    expect(await post(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${params}}`)).toMatchObject({
      id: null,
      error: { code: -32600, message: "Invalid request: The JSON is nested more than 256 levels deep." },
    });
  });

  it("gets a parse error if it is not UTF-8", async () => {
    const answer = await node.dispatcher.dispatch(Uint8Array.of(0x22, 0xff, 0x22), {});
    expect(JSON.parse(answer ?? "")).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it.each([
    [1, null],
    ['"text"', null],
    [null, null],
    [true, null],
    [{}, null],
    [{ id: 1 }, 1],
    [{ id: 1, method: "eth_chainId" }, 1],
    [{ id: 1, method: "eth_chainId", jsonrpc: "1.0" }, 1],
    [{ id: 1, method: 5, jsonrpc: "2.0" }, 1],
    [{ id: {}, method: "eth_chainId", jsonrpc: "2.0" }, null],
    [{ id: [1], method: "eth_chainId", jsonrpc: "2.0" }, null],
    [{ id: true, method: "eth_chainId", jsonrpc: "2.0" }, null],
    [{ id: 7, method: "eth_chainId", jsonrpc: "2.0", params: "latest" }, 7],
  ])("is rejected as invalid if its envelope is malformed: %j", async (body, id) => {
    expect(await post(body)).toMatchObject({ id, error: { code: -32600 } });
  });

  it.each([["no_such_method"], ["toString"], ["__proto__"], ["constructor"], [""]])(
    "gets method not found for the unknown method %j",
    async (method) => {
      expect(await post({ jsonrpc: "2.0", id: 1, method })).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );
});

describe("params", () => {
  const balance = async (params: unknown) => post({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params });
  const account = `0x${"00".repeat(20)}`;

  it("are accepted by position or by name", async () => {
    expect((await balance([account, "latest"])).result).toBe("0x0");
    expect((await balance({ account })).result).toBe("0x0");
    expect((await balance({ account, block: "latest" })).result).toBe("0x0");
  });

  it.each([
    [[], { argument: undefined }, "missing value for required argument 0 (account)"],
    [[account, "latest", 1], {}, "too many arguments, want at most 2"],
    [["0x1"], { argument: 0, name: "account", path: [] }, "invalid argument 0: hex string has length 1, want 40"],
    [[account, "nope"], { argument: 1, name: "block" }, "invalid argument 1: hex string without 0x prefix"],
    [[account, { blockHash: "0x" }], { argument: 1 }, "invalid argument 1: hex string has length 0, want 64"],
    [[5], { argument: 0 }, "invalid argument 0: expected string, received number"],
    [{ acount: account }, {}, 'unknown param "acount"; known params: account, block'],
  ])("are reported with their position if invalid: %j", async (params, data, message) => {
    const { error } = await balance(params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(message);
    expect(error?.data ?? {}).toMatchObject(
      Object.fromEntries(Object.entries(data).filter(([, v]) => v !== undefined)),
    );
  });

  it("are reported with the path of the invalid field", async () => {
    const call = { to: account, accessList: [{ address: account, storageKeys: ["0xzz"] }] };
    const { error } = await post({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call] });
    expect(error).toMatchObject({
      code: -32602,
      message: 'invalid argument 0: accessList[0].storageKeys[0]: invalid hex in storage key: "0xzz"',
      data: { argument: 0, name: "transaction", path: ["accessList", "0", "storageKeys", "0"] },
    });
  });

  it("never crash a method, whatever JSON they are", async () => {
    const names = ["eth_getBalance", "eth_getLogs", "eth_feeHistory", "eth_getBlockByNumber", "explorer_search"];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.jsonValue(), { maxLength: 4 }),
        async (method, params) => {
          const answer = await post({ jsonrpc: "2.0", id: 1, method, params });
          expect(answer.id).toBe(1);
          expect([undefined, -32602, -32000, -32005]).toContain(answer.error?.code);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a batch", () => {
  it("gets responses in request order, and none for notifications", async () => {
    const answers = await postBatch([chainId(3), chainId(), chainId("x"), { ...chainId(1), method: "nope" }]);
    expect(answers.map(({ id }) => id)).toEqual([3, "x", 1]);
    expect(answers[2]?.error?.code).toBe(-32601);
  });

  it("gets no response if it has only notifications", async () => {
    expect(await post([chainId(), chainId()])).toBeUndefined();
  });

  it("is a single invalid request if it is empty", async () => {
    expect(await post([])).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it("gets a response for each invalid element", async () => {
    const answers = await postBatch([1, "a", [chainId(1)], chainId(2)]);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [2, undefined],
    ]);
  });

  it("is rejected as a whole if it is too long", async () => {
    expect(await post(Array.from({ length: 6 }, (_, id) => chainId(id)))).toMatchObject({
      id: null,
      error: { code: -32005, data: { limit: "batchLength" } },
    });
  });
});

describe("the limit on response sizes", () => {
  const discover = (id: number) => ({ jsonrpc: "2.0", id, method: "rpc.discover" });

  it("rejects a single response that is too large", async () => {
    expect(await post(discover(1))).toMatchObject({ id: 1, error: { code: -32005, data: { limit: "responseBytes" } } });
  });

  it("rejects the remaining requests of a batch", async () => {
    const block = (id: number) => ({ jsonrpc: "2.0", id, method: "eth_getBlockByNumber", params: ["0x0", false] });
    const answers = await postBatch([block(1), block(2), chainId(3)]);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(answers.filter(({ error }) => error?.code === -32005)).not.toHaveLength(0);
    expect(answers.filter(({ error }) => error)).not.toHaveLength(3);
  });
});

it("returns the same result in process and over HTTP, and rejects with the error's code and data", async () => {
  expect(await node.request({ method: "eth_chainId" })).toBe(result);
  await expect(node.request({ method: "eth_getBalance", params: ["0x12"] })).rejects.toMatchObject({
    code: -32602,
    data: { argument: 0 },
  });
  await expect(node.request({ method: "nope" })).rejects.toMatchObject({ code: -32601 });
});
