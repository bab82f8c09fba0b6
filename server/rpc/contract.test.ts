/** Tests response formats and errors that clients depend on. */
import type { Hex } from "viem";
import { createClient, custom } from "viem";
import { fillTransaction } from "viem/actions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toViemChain } from "@/lib/rpc/viem";
import { getDevAccount } from "@/server/config/devAccounts";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { recipient, signTransfer } from "@/server/testing/transfer";

const from = getDevAccount(3).address;
const stranger = `0x${"5a".repeat(20)}`;
const caller = `0x${"c1".repeat(20)}`;
const callee = `0x${"c2".repeat(20)}`;

let node: TestNode;
let ethereum: TestNode;
beforeAll(async () => {
  node = await createTestNode();
  ethereum = await createTestNode({ profile: "ethereum" });
});
afterAll(async () => {
  await node?.close();
  await ethereum?.close();
});

type Reply = { result?: unknown; error?: { code: number; message: string } };
async function ask(method: string, params: unknown[] = [], on = node): Promise<Reply> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result, error } = (await on.post(body)) as Reply;
  return error ? { error: { code: error.code, message: error.message } } : { result };
}

async function mine(raw: Hex, on = node): Promise<{ hash: Hex; blockHash: Hex }> {
  const { result: hash } = (await ask("eth_sendRawTransaction", [raw], on)) as { result: Hex };
  const { blockHash } = (await on.chain.waitForTransaction(hash, 60_000))!;
  return { hash, blockHash };
}

it.each([
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getBlockTransactionCountByNumber",
  "debug_getRawBlock",
  "debug_getRawHeader",
  "debug_getRawReceipts",
  "debug_traceBlockByNumber",
])("%s uses the latest block if none is given", async (method) => {
  const latest = await ask(method, ["latest"]);
  expect(await ask(method)).toEqual(latest);
  expect(await ask(method, [null])).toEqual(latest);
});

describe("callTracer", () => {
  /** CALL(gas, callee, 0, 0, 0, 0, 0) */
  const code = `0x5f5f5f5f5f73${callee.slice(2)}5af1`;
  const trace = (tracerConfig: object) =>
    ask("debug_traceCall", [
      { from, to: caller },
      "latest",
      { tracer: "callTracer", tracerConfig, stateOverrides: { [caller]: { code }, [callee]: { code: "0x00" } } },
    ]);

  it("returns every frame with an output, and an empty list of logs if logs are requested", async () => {
    expect(await trace({ withLog: true })).toMatchObject({
      result: { output: "0x", logs: [], calls: [{ output: "0x", logs: [] }] },
    });
  });

  it("returns no logs if they are not requested", async () => {
    const { result } = await trace({});
    expect(result).toMatchObject({ output: "0x", calls: [{ output: "0x" }] });
    expect(JSON.stringify(result)).not.toContain('"logs"');
  });
});

describe("debug_traceTransaction without a tracer", () => {
  it.each([
    ["call frames on the default networks", () => node, { type: "CALL", output: "0x" }],
    ["geth's structLogs on an Ethereum chain", () => ethereum, { failed: false, structLogs: [] }],
  ])("returns %s", async (_what, on, expected) => {
    const { hash, blockHash } = await mine(await signTransfer(5, 0), on());
    expect(await ask("debug_traceTransaction", [hash], on())).toMatchObject({ result: expected });
    expect(await ask("debug_traceTransaction", [hash, {}], on())).toMatchObject({ result: expected });
    expect(await ask("debug_traceBlockByHash", [blockHash], on())).toMatchObject({ result: [{ result: expected }] });
    expect(await ask("debug_traceCall", [{ to: recipient }], on())).toMatchObject({ result: expected });
    // If the request names a tracer, that tracer is used, regardless of the network's default.
    const named = await ask("debug_traceTransaction", [hash, { tracer: "callTracer" }], on());
    expect(named).toMatchObject({ result: { type: "CALL" } });
    const options = await ask("debug_traceTransaction", [hash, { disableStack: true }], on());
    expect(options).toMatchObject({ result: { structLogs: [] } });
  });
});

describe("txpool_statusByAddress", () => {
  it("lists only transactions that are in the pool now, and no mined or replaced ones", async () => {
    const sender = getDevAccount(6).address;
    const status = () => ask("txpool_statusByAddress", [sender]);
    expect(await status()).toEqual({ result: {} });
    await mine(await signTransfer(6, 0));
    expect(await status()).toEqual({ result: {} });
    const { result: hash } = await ask("eth_sendRawTransaction", [await signTransfer(6, 2)]);
    const reason = "waiting for a transaction with nonce 1";
    expect(await status()).toEqual({ result: { "0x2": { status: "queued", reason, hash } } });
    await mine(await signTransfer(6, 1));
    await mine(await signTransfer(6, 3));
    expect(await status()).toEqual({ result: {} });
    expect(await ask("txpool_statusByHash", [hash])).toEqual({ result: { status: "mined" } });
  });

  it("returns the status unknown for an unknown hash", async () => {
    expect(await ask("txpool_statusByHash", [`0x${"77".repeat(32)}`])).toEqual({ result: { status: "unknown" } });
  });
});

describe("eth_fillTransaction", () => {
  const fill = async (call: object) => {
    const { result, error } = await ask("eth_fillTransaction", [call]);
    return error ?? (result as { tx: Record<string, unknown> }).tx;
  };

  it("rejects another chain's ID", async () => {
    expect(await fill({ from, to: recipient, chainId: "0x1" })).toEqual({
      code: -32000,
      message: "invalid chain id for signer: have 1, want 10143",
    });
    expect(await fill({ from, to: recipient, chainId: "0x279f", gas: "0x5208" })).toMatchObject({ chainId: "0x279f" });
  });

  it("fills a transaction without a sender", async () => {
    expect(await fill({ to: recipient })).toMatchObject({ from: null, nonce: "0x0", gas: "0x5208" });
  });

  it("keeps data and input as they were given", async () => {
    expect(await fill({ from, to: recipient, data: "0x01" })).toMatchObject({ data: "0x01", input: "0x01" });
    expect(await fill({ from, to: recipient, input: "0x01" })).toMatchObject({ data: null, input: "0x01" });
    expect(await fill({ from, to: recipient })).toMatchObject({ data: null, input: null, accessList: null });
  });

  it("fills in a transaction in the form that viem sends", async () => {
    const chain = toViemChain({ ...node.network, isLocal: true, publicChain: undefined }, "http://localhost");
    const client = createClient({ chain, transport: custom({ request: node.request }) });
    const { transaction } = await fillTransaction(client, { account: from, to: recipient, data: "0x0102" });
    expect(transaction).toMatchObject({ data: "0x0102", chainId: 10143 });
  });
});

describe("eth_createAccessList", () => {
  const given = [{ address: callee, storageKeys: [] }];
  const list = (call: object) => ask("eth_createAccessList", [{ to: caller, accessList: given, ...call }]);

  it("reports insufficient funds in the result's error", async () => {
    const error = expect.stringMatching(/^insufficient funds for gas \* price \+ value/);
    const result = { accessList: given, gasUsed: "0x0", error };
    expect(await list({ from: stranger, value: "0x1" })).toEqual({ result });
    expect(await list({ from: stranger, value: "0x1", gasPrice: "0x77359400" })).toEqual({ result });
  });

  it("reports a gas limit below the intrinsic gas in the result's error", async () => {
    const result = { accessList: given, gasUsed: "0x0", error: "intrinsic gas too low" };
    expect(await list({ from, gas: "0x5208" })).toEqual({ result });
  });

  it("reports the time limit in the result's error", async () => {
    const hurried = await createTestNode({ limits: { callTimeMs: 1 } });
    // Keeps multiplying a point on alt_bn128 until the gas runs out.
    const code = "0x60015f5260026020525f196040525b6040608060605f60075afa50600e56";
    expect(await ask("eth_createAccessList", [{ to: caller }, "latest", { [caller]: { code } }], hurried)).toEqual({
      result: { accessList: [], gasUsed: "0x0", error: "Execution timed out after 1 ms." },
    });
    await hurried.close();
  });

  it("still rejects another chain's ID", async () => {
    expect(await list({ from, chainId: "0x1" })).toMatchObject({ error: { code: -32000 } });
  });
});

describe("eth_simulateV1", () => {
  const maxNonce = "0xffffffffffffffff";
  const stateOverrides = { [stranger]: { nonce: maxNonce } };
  const simulate = (call: object, validation = true) =>
    ask("eth_simulateV1", [
      { blockStateCalls: [{ stateOverrides, calls: [{ from: stranger, ...call }] }], validation },
    ]);

  it("checks a sender's last nonce before its fees, with geth's code and message", async () => {
    expect(await simulate({ to: recipient })).toEqual({ error: { code: -32603, message: "nonce has max value" } });
  });

  it.each([
    ["the nonce before the fees", { from, nonce: "0x63" }, -38011, "nonce too high"],
    [
      "a tip above the fee cap before the base fee",
      { from, maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x1" },
      -32602,
      "max priority fee per gas higher than max fee per gas",
    ],
    [
      "the base fee before the funds",
      { from: caller, value: "0x1" },
      -38012,
      "max fee per gas less than block base fee",
    ],
    [
      "the funds before the intrinsic gas",
      { from: caller, value: "0x1", gas: "0x1", maxFeePerGas: "0x77359400" },
      -38014,
      "insufficient funds for gas * price + value",
    ],
    ["the intrinsic gas last", { from, gas: "0x1", maxFeePerGas: "0x77359400" }, -38013, "intrinsic gas too low"],
  ])("checks %s", async (_what, call, code, message) => {
    expect(await simulate({ to: recipient, ...call })).toEqual({ error: { code, message } });
  });

  it("ignores the nonce if validation is off", async () => {
    expect(await simulate({ to: recipient }, false)).toMatchObject({ result: [{ calls: [{ status: "0x1" }] }] });
  });
});
