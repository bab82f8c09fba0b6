/**
 * Tests the paid resources' content, read from our own node: fees stay within the forecast range, rows are complete,
 * and calls are counted.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPayable, type PayableNetwork } from "@/lib/networks";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { HttpRequest } from "@/server/http/types";
import { createFixedChain } from "@/server/rpc/testing/fixedChain";
import type { TestNode } from "@/server/rpc/testing/testNode";
import { addressReport } from "@/server/x402/resources/addressReport";
import { feeForecast, toForecast } from "@/server/x402/resources/feeForecast";
import { meteredRpc } from "@/server/x402/resources/meteredRpc";
import type { Resource, ServeContext } from "@/server/x402/resources/resource";
import { traceExport } from "@/server/x402/resources/traceExport";
import { transferExport } from "@/server/x402/resources/transferExport";

let node: TestNode;
let context: ServeContext;

beforeAll(async () => {
  node = await createFixedChain();
  if (!isPayable(node.network)) throw new Error("The chain has no token.");
  context = { network: node.network as PayableNetwork, request: node.request, maxCount: 500 };
});
afterAll(() => node.close());

function serve(resource: Resource, query = "", body: unknown = undefined) {
  const request: HttpRequest = {
    method: resource.method,
    path: "/",
    query: new URLSearchParams(query),
    headers: {},
    body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    origin: "http://localhost",
  };
  return resource.prepare(request, context)();
}

describe("the fee forecast", () => {
  it("covers all requested blocks, and starts with the known base fee", async () => {
    const { body } = (await serve(feeForecast, "blocks=16")) as {
      body: { head: number; blocks: { number: number; lowestWei: string; highestWei: string; expectedWei: string }[] };
    };
    expect(body.blocks).toHaveLength(16);
    expect(body.blocks[0]?.number).toBe(body.head + 1);
    const [first] = body.blocks;
    expect([first?.lowestWei, first?.expectedWei]).toEqual([first?.highestWei, first?.highestWei]);
  });

  it.each([0, 0.25, 0.5, 0.75, 1])("stays within the range if blocks are %d full", (fullness) => {
    let fee = 1_000_000_007n;
    for (const { lowestWei, expectedWei, highestWei } of toForecast(fee, fullness, 16)) {
      expect(fee).toBeGreaterThanOrEqual(BigInt(lowestWei));
      expect(fee).toBeLessThanOrEqual(BigInt(highestWei));
      expect(BigInt(expectedWei)).toBeGreaterThanOrEqual(BigInt(lowestWei));
      expect(BigInt(expectedWei)).toBeLessThanOrEqual(BigInt(highestWei));
      // Computes the next block's fee with the same integer arithmetic as EIP-1559.
      const gasTarget = 75_000_000n;
      const gasUsed = BigInt(Math.round(fullness * 150_000_000));
      const delta = (fee * (gasUsed > gasTarget ? gasUsed - gasTarget : gasTarget - gasUsed)) / gasTarget / 8n;
      fee = gasUsed > gasTarget ? fee + (delta > 1n ? delta : 1n) : fee - delta;
    }
  });
});

describe("the transfer export", () => {
  it("returns as many rows as it charges for, and the same rows as CSV", async () => {
    const json = (await serve(transferExport, "rows=10")) as { count: number; body: { transfers: object[] } };
    expect(json.count).toBe(json.body.transfers.length);
    expect(json.body.transfers).toContainEqual(expect.objectContaining({ units: "1500000" }));
    const csv = (await serve(transferExport, "rows=10&format=csv")) as { count: number; body: string };
    expect(csv.count).toBe(json.count);
    expect(csv.body.split("\r\n").filter(Boolean)).toHaveLength(json.count + 1);
  });

  it("doesn't charge if there are no rows", async () => {
    const none = await serve(transferExport, `token=0x${"12".repeat(20)}`);
    expect(none).toMatchObject({ count: 0, body: { transfers: [] } });
  });
});

describe("the trace export", () => {
  it("charges per started kilobyte of the trace", async () => {
    const { count, body } = (await serve(traceExport)) as { count: number; body: { bytes: number; trace: object } };
    expect(body.trace).toMatchObject({ type: "CALL" });
    expect(count).toBe(Math.ceil(JSON.stringify(body.trace).length / 1024));
  });

  it("rejects an unknown transaction and a trace that is too large", async () => {
    await expect(serve(traceExport, `transaction=0x${"12".repeat(32)}`)).rejects.toMatchObject({ status: 404 });
    const small = { ...context, maxCount: 0 };
    const empty = { method: "GET", path: "/", query: new URLSearchParams(), headers: {}, origin: "http://localhost" };
    const run = traceExport.prepare({ ...empty, body: toBytes("0x") }, small);
    await expect(run()).rejects.toMatchObject({ status: 413 });
  });
});

describe("metered JSON-RPC", () => {
  const call = (id: number, method: string, params: unknown[] = []) => ({ jsonrpc: "2.0", id, method, params });

  it("returns the node's result for a call", async () => {
    expect(await serve(meteredRpc, "", call(1, "eth_chainId"))).toEqual({
      count: 1,
      body: { jsonrpc: "2.0", id: 1, result: "0x279f" },
    });
  });

  it("returns a batch in order and charges only for calls with a result", async () => {
    const batch = [call(3, "eth_blockNumber"), call(1, "eth_getBalance", ["nobody"]), call(2, "eth_getBlockByNumber")];
    const { count, body } = (await serve(meteredRpc, "", [
      ...batch,
      call(4, "eth_getTransactionByHash", [`0x${"0".repeat(64)}`]),
    ])) as {
      count: number;
      body: { id: number; error?: object; result?: unknown }[];
    };
    expect(body.map(({ id }) => id)).toEqual([3, 1, 2, 4]);
    expect(body[1]?.error).toMatchObject({ message: expect.any(String) });
    expect(body[3]).toMatchObject({ result: null });
    expect(count).toBe(body.filter((answer) => "result" in answer).length);
  });
});

it("reads everything in the address report at one block", async () => {
  const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
  const { body } = (await serve(addressReport, `address=${developer}`)) as {
    body: { block: number; nonce: number; balanceWei: string; tokens: { units: string }[] };
  };
  const at = `0x${body.block.toString(16)}`;
  const ask = (method: string) => node.request({ method, params: [developer, at] });
  expect([BigInt(body.balanceWei), body.nonce]).toEqual([
    BigInt((await ask("eth_getBalance")) as string),
    Number(await ask("eth_getTransactionCount")),
  ]);
  expect(body.tokens.map(({ units }) => units)).toEqual([String(10n ** 10n - 1_500_000n)]);
});
