/**
 * Tests the console's helpers: field values, readings, differences between responses, batch responses and stored
 * history.
 */
import { describe, expect, it } from "vitest";
import { readAnswers } from "@/components/console/callRequest";
import { maxBatch, maxHistory, readMemory } from "@/components/console/consoleStore";
import { readFieldText, toFieldText, withEntry, withParam } from "@/components/console/fieldValue";
import { listDifferences, maxDifferences } from "@/components/console/jsonDiff";
import { toReading } from "@/components/console/readings";
import type { Field } from "@/lib/rpc/schema/field";
import { readNetworks } from "@/server/config/networksFile";

const text: Field = { kind: "text", type: "address" };
const union: Field = { kind: "text", type: "block or object", json: true };
const number: Field = { kind: "number", type: "integer" };
const json: Field = { kind: "json", type: "object" };

describe("field text", () => {
  it.each([
    [text, " 0xab ", "0xab"],
    [text, "", undefined],
    [text, "12", "12"],
    [union, "latest", "latest"],
    [union, "0x5", "0x5"],
    [union, "5", 5],
    [union, '{"blockNumber":"0x1"}', { blockNumber: "0x1" }],
    [union, '{"blockNumber', '{"blockNumber'],
    [number, "12", 12],
    [number, "1.5", 1.5],
    [number, "twelve", "twelve"],
    [json, "true", true],
    [json, '["a"]', ["a"]],
    [json, '"a"', "a"],
  ])("%o: reads the text %j as the value %j", (field, typed, value) => {
    expect(readFieldText(field, typed)).toEqual({ value });
  });

  it("reports an error while the text is incomplete", () => {
    expect(readFieldText(json, '{"a":')).toEqual({ fault: true });
  });

  it.each([
    [text, "0xab"],
    [union, { blockHash: "0x1" }],
    [union, 5],
    [number, 12],
    [json, { a: [1, "b", null] }],
    [json, "a"],
  ])("%o: formats the value %j as text that reads back to it", (field, value) => {
    expect(readFieldText(field, toFieldText(field, value))).toEqual({ value });
  });

  it("omits empty entries and trailing params", () => {
    expect(withEntry({ a: 1, b: 2 }, "a", undefined, false)).toEqual({ b: 2 });
    expect(withEntry({ a: 1 }, "a", undefined, false)).toBeUndefined();
    expect(withEntry({ a: 1 }, "a", undefined, true)).toEqual({});
    expect(withParam([], 2, "latest")).toEqual([null, null, "latest"]);
    expect(withParam(["a", "b"], 1, undefined)).toEqual(["a"]);
    expect(withParam(["a", "b"], 0, undefined)).toEqual([null, "b"]);
    expect(withParam(["a"], 0, undefined)).toEqual([]);
  });
});

describe("readings", () => {
  const [network] = readNetworks("testnet,mainnet", "");
  const hash = `0x${"ab".repeat(32)}`;
  it.each([
    ["quantity", "0x2386f26fc10000", "eth_getBalance", { text: "0.01 MON" }],
    ["quantity", "0x3b9aca00", "eth_gasPrice", { text: "1 gwei" }],
    ["quantity", "0x10", "eth_getTransactionCount", { text: "16" }],
    ["baseFeePerGas", "0x77359400", "eth_getBlockByNumber", { text: "2 gwei" }],
    ["timestamp", "0x6955b900", "eth_getBlockByNumber", { text: "2026-01-01 00:00:00 UTC" }],
    ["createdAt", "0x19b76daa800", "explorer_getPayment", { text: "2026-01-01 00:00:00 UTC" }],
    ["number", "0x1234", "eth_getBlockByNumber", { text: "4,660", href: "/testnet/block/4660" }],
    ["blockNumber", "0x5", "eth_getTransactionByHash", { text: "5", href: "/testnet/block/5" }],
    ["value", "0xde0b6b3a7640000", "eth_getTransactionByHash", { text: "1 MON" }],
    ["from", `0x${"11".repeat(20)}`, "eth_getTransactionByHash", { href: `/testnet/address/0x${"11".repeat(20)}` }],
    ["transactionHash", hash, "eth_getLogs", { href: `/testnet/tx/${hash}` }],
    ["parentHash", hash, "eth_getBlockByNumber", { href: `/testnet/block/${hash}` }],
    ["stateRoot", hash, "eth_getBlockByNumber", {}],
    ["data", hash, "eth_getLogs", {}],
    ["gasUsed", "0x0", "eth_getBlockByNumber", {}],
    ["amount", "0x2710", "explorer_getPayments", { text: "10,000" }],
    ["extraData", "0x746f6c6c7363616e", "eth_getBlockByNumber", { text: "tollscan" }],
    ["extraData", "0x746f6c6c73636100", "eth_getBlockByNumber", {}],
    ["extraData", "0x", "eth_getBlockByNumber", {}],
    ["nonce", "0x0000000000000000", "eth_getBlockByNumber", {}],
    ["", null, "eth_getBlockByHash", {}],
  ])("of %s %j in a response to %s are correct", (key, value, method, reading) => {
    expect(toReading(key, value, network, method)).toEqual(reading);
  });
});

describe("differences between two responses", () => {
  it("are listed by path, with undefined for a missing value", () => {
    const here = { a: 1, list: [{ b: "x" }, 2], gone: null };
    const there = { a: 1, list: [{ b: "y" }], more: true };
    expect(listDifferences(here, there)).toEqual([
      { path: "list[0].b", here: "x", there: "y" },
      { path: "list[1]", here: 2, there: undefined },
      { path: "gone", here: null, there: undefined },
      { path: "more", here: undefined, there: true },
    ]);
    expect(listDifferences("0x1", "0x2")).toEqual([{ path: "", here: "0x1", there: "0x2" }]);
    expect(listDifferences({ a: [1] }, { a: [1] })).toEqual([]);
    expect(listDifferences([], {})).toHaveLength(1);
  });

  it("are limited in number", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index);
    expect(listDifferences(many, [])).toHaveLength(maxDifferences);
  });
});

describe("batch responses", () => {
  it("are sorted in request order", () => {
    const came = '[{"id":2,"result":"b"},{"id":1,"error":{"code":1,"message":"a"}}]';
    expect(readAnswers(came, 3)).toMatchObject([{ error: { message: "a" } }, { result: "b" }, { error: { code: 0 } }]);
  });

  it("contain one error if the whole batch is rejected, and throw if they are not JSON-RPC", () => {
    expect(readAnswers('{"id":null,"error":{"code":-1,"message":"too many"}}', 3)).toHaveLength(1);
    for (const text of ["", "<html>", "[1]", "null", "{}"]) expect(() => readAnswers(text, 1)).toThrow("JSON-RPC");
  });
});

describe("stored history", () => {
  const entry = { method: "eth_chainId", params: [], network: "testnet", atMs: 1, ms: 2, bytes: 3, ok: true };
  it("is limited in length and drops invalid entries", () => {
    const history = [entry, { ...entry, atMs: "soon" }, null, 5, { method: "x" }];
    const batch = [{ method: "eth_chainId", params: [] }, { method: 1, params: [] }, "x"];
    expect(readMemory(JSON.stringify({ history, batch }))).toEqual({ history: [entry], batch: [batch[0]] });
    const many = { history: Array(200).fill(entry), batch: Array(200).fill(batch[0]) };
    const read = readMemory(JSON.stringify(many));
    expect([read.history.length, read.batch.length]).toEqual([maxHistory, maxBatch]);
  });

  it.each([null, "", "{", "[]", "5", "null", '{"history":{}}'])("is empty if %j was stored", (stored) => {
    expect(readMemory(stored)).toEqual({ history: [], batch: [] });
  });
});
