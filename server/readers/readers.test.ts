/**
 * The server with readers, as it is started: nobody sees the past, and no process's end loses what was answered.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getDevAccount } from "@/server/devAccounts";
import { type Kept, keep, listReaders, openOn, until } from "@/server/readers/testing/kept";
import { type Builds, buildServer, type Started } from "@/server/readers/testing/startBuilt";
import { type Mined, recipient, signTransfer } from "@/server/testing/transfer";

let builds: Builds;
beforeAll(async () => {
  builds = await buildServer("readers");
}, 300_000);
afterAll(() => builds?.remove());

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("with two readers", () => {
  let server: Started;
  let port: number;
  const open: Kept[] = [];
  beforeAll(async () => {
    server = await builds.start(2);
    port = server.port;
    open.push(...Array.from({ length: 9 }, () => keep(port)));
    await Promise.all(open.map((at) => at.rpc("eth_chainId")));
  }, 300_000);
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

describe("ending", () => {
  /** Runs until the time limit ends it. */
  const endless = {
    call: { to: recipient, gas: "0x174876e800" },
    overrides: { [recipient]: { code: "0x5b600056" } },
  };

  it("lets readers answer what is under way, and leaves none behind", async () => {
    const limits = { TOLLSCAN_LIMIT_CALL_TIME_MS: "1500", TOLLSCAN_LIMIT_CALL_GAS: "100000000000" };
    const server = await builds.start(1, limits);
    const at = await openOn("reader", server.port);
    const other = await openOn("main", server.port);
    const [reader] = await listReaders(other);
    const waiting = at.post({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_call",
      params: [endless.call, "latest", endless.overrides],
    });
    await until(async () => {
      const { executor } = await other.rpc<{ executor: { activeRequests: number } }>("explorer_getNodeStatus");
      return executor.activeRequests > 0;
    });
    const [answer, outcome] = await Promise.all([waiting, server.stop("SIGTERM")]);
    expect(JSON.parse(answer).error.message).toMatch(/\w/);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(isRunning(reader!.pid!)).toBe(false);
  });
});
