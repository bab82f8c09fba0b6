/**
 * The server with readers, as it is started: what either process answers is the same, nobody sees the past, and no
 * process's end loses what was answered.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type MethodName, methods } from "@/lib/rpc/methods";
import { type LiveExample, listLiveExamples } from "@/lib/rpc/schema/liveExamples";
import { getMethodNote } from "@/lib/rpc/schema/notes";
import { payFetch } from "@/lib/x402/payFetch";
import { loadConfig } from "@/server/config";
import { getDevAccount } from "@/server/devAccounts";
import { crowdMain, type Kept, keep, listReaders, openOn, until } from "@/server/readers/testing/kept";
import { findShapeFault } from "@/server/rpc/testing/exchanges";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-readers-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const network = loadConfig({}, folder).networks[0];
const recipient = `0x${"cd".repeat(20)}` as const;
const toPort = ({ origin }: ServerProcess) => Number(new URL(origin).port);
const start = (name: string, readers: number) =>
  startServer({ TOLLSCAN_DATA: join(folder, name), TOLLSCAN_READERS: String(readers) });

/** A transfer as the wire takes it, signed without asking the node. */
function signTransfer(index: number, nonce: number): Promise<`0x${string}`> {
  return privateKeyToAccount(getDevAccount(index).privateKey).signTransaction({
    type: "eip1559",
    chainId: 10143,
    nonce,
    to: recipient,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

type Mined = { transactionHash: string; blockNumber: string };

describe("with one reader", () => {
  let server: ServerProcess;
  let port: number;
  let reader: Kept;
  let main: Kept;
  beforeAll(async () => {
    server = await start("one", 1);
    port = toPort(server);
    [reader, main] = [await openOn("reader", port), await openOn("main", port)];
    for (let nonce = 0; nonce < 3; nonce++) {
      await reader.rpc("eth_sendRawTransactionSync", [await signTransfer(3, nonce), 10_000]);
    }
  });
  afterAll(async () => {
    for (const each of [reader, main]) each?.close();
    await server?.stop("SIGTERM");
  });

  /** Filled from the chain, with what has to be asked first already asked. */
  async function listExamples(method: MethodName): Promise<unknown[][]> {
    const request = ({ method: name, params }: { method: string; params?: unknown[] }) => main.rpc(name, params);
    const examples: LiveExample[] = await listLiveExamples(method, methods[method].examples, network, request as never);
    return Promise.all(
      examples.map(async ({ prepare, params }) =>
        prepare ? [await main.rpc(prepare.method, prepare.params), ...params.slice(1)] : params,
      ),
    );
  }

  const byEffect = (...effects: string[]) =>
    (Object.keys(methods) as MethodName[]).filter((name) => effects.includes(getMethodNote(name).effect));

  it.each(byEffect("reads", "runs"))("%s is answered alike by reader and main", async (method) => {
    for (const params of await listExamples(method)) {
      const body = { jsonrpc: "2.0", id: "x", method, params };
      const [one, other, again] = [await reader.post(body), await main.post(body), await reader.post(body)];
      // Ids and ages differ from one time to the next with the same process too.
      if (one === again) expect(one).toBe(other);
      const [first, second] = [one, other].map((text) => JSON.parse(text));
      expect(Object.keys(first)).toEqual(Object.keys(second));
      if (first.result !== undefined) expect(findShapeFault(method, first.result)).toBeUndefined();
    }
  });

  it.each(byEffect("sends", "controls"))("%s is done over a reader's connection", async (method) => {
    for (const params of await listExamples(method)) {
      const { result, error } = JSON.parse(await reader.post({ jsonrpc: "2.0", id: 1, method, params }));
      if (error) expect(methods[method].examples.some(({ refused }: { refused?: true }) => refused)).toBe(true);
      else expect(findShapeFault(method, result)).toBeUndefined();
    }
    await main.rpc("anvil_reset");
  });

  it("answers reads itself and leaves the rest to main", async () => {
    const count = async () => (await listReaders(main))[0]!.requests;
    const asked = ["eth_blockNumber", "eth_feeHistory", "eth_call", "eth_getLogs", "explorer_getBlocks"] as const;
    const left = ["eth_gasPrice", "txpool_status", "eth_newBlockFilter", "explorer_getNodeStatus"] as const;
    let before = await count();
    // What was asked earlier is told with some delay.
    await until(async () => {
      const last = before;
      before = await count();
      return before === last;
    });
    for (const method of [...asked, ...left]) {
      for (const params of await listExamples(method)) {
        await reader.post({ jsonrpc: "2.0", id: 1, method, params });
      }
    }
    const examples = await Promise.all(asked.map(listExamples));
    await until(async () => (await count()) >= before + examples.flat().length);
    expect(await count()).toBe(before + examples.flat().length);
  });

  it("refuses in the same words and with the same headers", async () => {
    const bodies = [
      "",
      "{",
      "[]",
      "7",
      '{"method":7}',
      '{"jsonrpc":"2.0","id":1,"method":"no"}',
      "x".repeat(6_000_000),
    ];
    const json = { "content-type": "application/json", "x-request-id": "a-1" };
    for (const body of bodies) {
      const [one, other] = await Promise.all(
        [keep(port), keep(port)].map((at) => at.send("POST", "/api/rpc/testnet", { headers: json, body })),
      );
      expect({ ...one, headers: { ...one!.headers, date: "" } }).toEqual({
        ...other,
        headers: { ...other!.headers, date: "" },
      });
    }
    const requests: [string, string][] = [
      ["GET", "/api/rpc/testnet"],
      ["OPTIONS", "/api/rpc/testnet"],
      ["HEAD", "/api/rpc"],
      ["PUT", "/api/rpc/testnet"],
      ["GET", "/api/nothing"],
      ["GET", "/nothing"],
      ["GET", "/.well-known/x402"],
    ];
    for (const [method, path] of requests) {
      const [one, other] = [await reader.send(method, path), await main.send(method, path)];
      expect([method, path, one.status, one.text]).toEqual([method, path, other.status, other.text]);
      expect({ ...one.headers, date: "" }).toEqual({ ...other.headers, date: "" });
    }
  });

  it("answers a batch in which some calls need main, in order", async () => {
    const calls = ["eth_chainId", "txpool_status", "eth_gasPrice", "eth_blockNumber", "eth_getFilterChanges"];
    const batch = calls.map((method, id) => ({ jsonrpc: "2.0", id, method, params: id === 4 ? ["0x1"] : [] }));
    expect(await reader.post(batch)).toBe(await main.post(batch));
  });

  it("counts what either answered as one", async () => {
    const count = async (at: Kept) => {
      const { methods: counted } = await at.rpc<{ methods: { method: string; requests: number }[] }>(
        "explorer_getNodeStatus",
      );
      return counted.find(({ method }) => method === "web3_sha3")?.requests ?? 0;
    };
    const before = await count(main);
    for (const at of [reader, main, reader]) await at.rpc("web3_sha3", ["0x12"]);
    await until(async () => (await count(main)) === before + 3);
    expect(await count(reader)).toBe(before + 3);
    const { text } = await reader.send("GET", "/api/metrics");
    expect(text).toMatch(
      new RegExp(`requests_total\\{network="testnet",method="web3_sha3",outcome="ok"\\} ${before + 3}\n`),
    );
  });

  it("serves subscriptions, the event stream and payments on a reader's connection", async () => {
    const leave = await crowdMain(8, port);
    const given = async () => (await listReaders(main))[0]!.accepted;
    const before = await given();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/rpc/testnet`);
    const messages: string[] = [];
    socket.on("message", (data) => messages.push(String(data)));
    await new Promise((resolve) => socket.once("open", resolve));
    expect(await given()).toBe(before + 1);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
    await until(() => messages.length > 0);

    let streamed = "";
    const stream = send({ host: "127.0.0.1", port, path: "/api/stream/testnet", agent: false }, (answer) => {
      answer.on("data", (chunk) => {
        streamed += chunk;
      });
    });
    stream.end();
    await until(async () => streamed !== "");
    expect(await given()).toBe(before + 2);
    const mined = await reader.rpc<Mined>("eth_sendRawTransactionSync", [await signTransfer(4, 0), 10_000]);
    await until(() => messages.length > 1 && streamed.includes(mined.transactionHash));
    expect(JSON.parse(messages[1]!).params.result.number).toBe(mined.blockNumber);
    socket.terminate();
    stream.destroy();

    const { response, settlement } = await payFetch(`${server.origin}/api/paid/block-digest`, {
      signer: privateKeyToAccount(getDevAccount(5).privateKey) as never,
      spendLimits: [{ network: "eip155:10143", asset: network.tokens[0]!.address, maxUnits: 1_000_000n }],
    });
    expect(response.status).toBe(200);
    expect(await given()).toBeGreaterThan(before + 2);
    const receipt = await reader.rpc("eth_getTransactionReceipt", [settlement?.transaction]);
    expect(receipt).toMatchObject({ status: "0x1" });
    leave();
  });
});

describe("with two readers", () => {
  let server: ServerProcess;
  let port: number;
  const open: Kept[] = [];
  beforeAll(async () => {
    server = await start("two", 2);
    port = toPort(server);
    open.push(...Array.from({ length: 9 }, () => keep(port)));
    await Promise.all(open.map((at) => at.rpc("eth_chainId")));
  });
  afterAll(async () => {
    for (const at of open) at.close();
    await server?.stop("SIGKILL");
  });

  it("shares the connections out", async () => {
    const readers = await listReaders(open[0]!);
    expect(readers.map(({ ready, connections }) => [ready, connections])).toEqual([
      [true, 3],
      [true, 3],
    ]);
  });

  it("shows nobody the past: what one was answered, the next answer of any connection has", async () => {
    let seen = 0;
    let isDone = false;
    const polls = open.map(async (at) => {
      let asked = 0;
      for (; !isDone; asked++) {
        const least = seen;
        const number = Number(await at.rpc("eth_blockNumber"));
        expect(number).toBeGreaterThanOrEqual(least);
        seen = Math.max(seen, number);
      }
      return asked;
    });
    const writes = [0, 1].map(async (which) => {
      const from = getDevAccount(which).address;
      for (let nonce = 0; nonce < 40; nonce++) {
        const at = open[(nonce + which) % open.length]!;
        const raw = await signTransfer(which, nonce);
        const mined = await at.rpc<Mined>("eth_sendRawTransactionSync", [raw, 10_000]);
        seen = Math.max(seen, Number(mined.blockNumber));
        const other = open[(nonce * 7 + 3) % open.length]!;
        expect(await other.rpc("eth_getTransactionReceipt", [mined.transactionHash])).toMatchObject(mined);
        expect(Number(await other.rpc("eth_getTransactionCount", [from, "latest"]))).toBe(nonce + 1);
      }
    });
    await Promise.all(writes).finally(() => {
      isDone = true;
    });
    for (const asked of await Promise.all(polls)) expect(asked).toBeGreaterThan(0);
  });

  it("shows a change by hand and a way back at once, whatever was kept", async () => {
    const address = `0x${"ee".repeat(20)}`;
    const [at] = open;
    const all = async <T>(method: string, params: unknown[]) =>
      new Set(await Promise.all(open.map((each) => each.rpc<T>(method, params))));
    for (let round = 1; round <= 3; round++) {
      const head = await at!.rpc<string>("eth_blockNumber");
      const snapshot = await at!.rpc("evm_snapshot");
      await at!.rpc("anvil_setBalance", [address, `0x${round}`]);
      expect(await all("eth_getBalance", [address, "latest"])).toEqual(new Set([`0x${round}`]));
      const call = { to: recipient, from: address, value: `0x${round}`, gas: "0x5208" };
      expect(await all("eth_call", [call, "latest"])).toEqual(new Set(["0x"]));
      await at!.rpc("anvil_mine", ["0x2"]);
      const above = `0x${(Number(head) + 2).toString(16)}`;
      expect(await all("eth_blockNumber", [])).toEqual(new Set([above]));
      const [hash] = await all<{ hash: string }>("eth_getBlockByNumber", [above, false]);
      await at!.rpc("evm_revert", [snapshot]);
      expect(await all("eth_blockNumber", [])).toEqual(new Set([head]));
      expect(await all("eth_getBlockByNumber", [above, false])).toEqual(new Set([null]));
      expect(await all("eth_getBalance", [address, "latest"])).toEqual(new Set(["0x0"]));
      await at!.rpc("evm_increaseTime", [1000]);
      await at!.rpc("anvil_mine", ["0x2"]);
      const blocks = await Promise.all(
        open.map((each) => each.rpc<{ hash: string }>("eth_getBlockByNumber", [above, false])),
      );
      expect(new Set(blocks.map((block) => block.hash)).size).toBe(1);
      expect(blocks[0]!.hash).not.toBe(hash!.hash);
    }
  });

  it("loses nothing that was answered when a reader is killed under load, and starts another", async () => {
    const asking = await openOn("main", port);
    const [victim, other] = await listReaders(asking);
    const answered: Mined[] = [];
    let failed = 0;
    const load = [5, 6, 7].map(async (which) => {
      let at = keep(port);
      for (let nonce = 0; nonce < 30; nonce++) {
        const raw = await signTransfer(which, nonce);
        for (;;) {
          try {
            answered.push(await at.rpc<Mined>("eth_sendRawTransactionSync", [raw, 10_000]));
            break;
          } catch (error) {
            // It may have been sent before the connection was cut.
            if (/already known|nonce too low/.test((error as Error).message)) break;
            expect(error).toMatchObject({ code: expect.stringMatching(/ECONN|EPIPE/) });
            failed++;
            at = keep(port);
            await at.rpc("eth_blockNumber");
          }
        }
        if (which === 5 && nonce === 10) process.kill(victim!.pid!, "SIGKILL");
      }
      at.close();
    });
    await Promise.all(load);
    for (const mined of answered) {
      expect(await asking.rpc("eth_getTransactionReceipt", [mined.transactionHash])).toMatchObject(mined);
    }
    expect(failed).toBeLessThanOrEqual(load.length);
    await until(async () => (await listReaders(asking))[0]!.ready && (await listReaders(asking))[0]!.restarts === 1);
    const [next, same] = await listReaders(asking);
    expect(next!.pid).not.toBe(victim!.pid);
    expect(same!.pid).toBe(other!.pid);
    const late = await openOn("reader", port);
    expect(await late.rpc("eth_getTransactionCount", [getDevAccount(7).address, "latest"])).toBe("0x1e");
    late.close();
    asking.close();
  });

  it("leaves no reader behind when the main process is killed", async () => {
    const pids = (await listReaders(keep(port))).map(({ pid }) => pid!);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await server.stop("SIGKILL");
    await until(() => !pids.some(isRunning));
  });
});

it("ends its readers with it, after what they are answering", async () => {
  const server = await start("ending", 1);
  const port = toPort(server);
  const at = await openOn("reader", port);
  const [reader] = await listReaders(at);
  const waiting = at.rpc<Mined>("eth_sendRawTransactionSync", [await signTransfer(0, 0), 10_000]);
  const [mined, outcome] = await Promise.all([waiting, waiting.then(() => server.stop("SIGTERM"))]);
  expect(mined.blockNumber).toBe("0x1");
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(isRunning(reader!.pid!)).toBe(false);
});
