/**
 * Tests what /api/health reports about each problem: a full disk, failing blocks, an outdated index, a silent node, and
 * a facilitator without gas.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHealthHandler } from "@/server/api/health";
import { addresses, network, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { loadConfig } from "@/server/config/config";
import type { Executor, Job, JobResult } from "@/server/ports/executor";
import type { Store } from "@/server/ports/store";
import type { WireHead } from "@/server/remote/heads";
import { createEmbeddedNetwork } from "@/server/rpc/embeddedNetwork";
import { checkDisk, checkIndex, checkRemoteNode, createProblems, type Problems } from "@/server/rpc/problems";
import { createRemoteNetwork } from "@/server/rpc/remoteNetwork";
import { migrate } from "@/server/storage/migrate";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { createStore } from "@/server/storage/store";

const { limits } = loadConfig({}, "/");
const head = { number: 7, hash: `0x${"07".repeat(32)}`, timestamp: 1 } as const;

let folder: string;
let driver: SqlDriver;
let store: Store;
let test: TestChain | undefined;
/** Whether the executor rejects every block. */
let isBroken = false;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-health-"));
  const file = join(folder, "chain.sqlite");
  driver = openSqlite(file, { readonly: false });
  await migrate(driver, sqliteDialect, file);
  store = createStore(driver);
});
afterEach(async () => {
  vi.restoreAllMocks();
  isBroken = false;
  await (test ?? store).close();
  test = undefined;
  removeFolder(folder);
});

async function open(embedded = true): Promise<{ test: TestChain; problems: Problems }> {
  const wrap = (executor: Executor): Executor => ({
    ...executor,
    run: <J extends Job>(job: J, options?: object): Promise<JobResult<J>> =>
      job.kind === "executeBlock" && isBroken ? Promise.reject(new Error("broken")) : executor.run(job, options),
  });
  test = await openTestChain({ folder, store, wrap });
  const { chain } = test;
  const { problems } = createEmbeddedNetwork({
    network: { ...network, embedded },
    chain,
    limits,
    faucet: undefined,
    areScriptsAllowed: false,
    names: () => [],
    resources: () => [],
  });
  return { test, problems };
}

/** Returns the status and body of /api/health for a node with this one network. */
async function getHealth(problems: Problems) {
  const handler = createHealthHandler({ instance: "one", isTemporary: false, isKept: true }, () => [
    { network, head, store, problems },
  ]);
  const request = { method: "GET", query: new URLSearchParams() } as Parameters<typeof handler>[0];
  const { status, body } = await handler(request);
  return { httpStatus: status, ...(JSON.parse(String(body)) as { status: string; problems: object[] }) };
}

/** Limits the database to this many pages: a low limit stops it from growing, a higher one lets it grow again. */
const limitPages = (pages: number) =>
  driver.transaction(false, async (tx) => void (await tx.get(`pragma max_page_count = ${pages}`, [])));

/** Advances the health check's clock by this many milliseconds. */
const later = (ms: number) => {
  const nowMs = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(nowMs + ms);
};

describe("/api/health", () => {
  it("reports ok if there are no problems", async () => {
    const { problems } = await open();
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200, status: "ok", ready: true, problems: [] });
  });

  it("reports unavailable while the disk is full, and ok once blocks are committed again", async () => {
    const { test, problems } = await open();
    await limitPages(1);
    const big = { gas: 3_000_000n, data: `0x${"ab".repeat(60_000)}` } as const;
    await expect(test.mine(await test.sign(0, { ...big, nonce: 0 }))).rejects.toMatchObject({ code: "STORE_FULL" });
    expect(await getHealth(problems)).toMatchObject({
      httpStatus: 503,
      status: "unavailable",
      ready: false,
      problems: [
        { network: network.name, code: "store_full", severity: "down", fix: expect.stringMatching(/^Free up/) },
      ],
    });
    await limitPages(2 ** 31);
    await test.mine(await test.sign(0, { ...big, nonce: 0 }));
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200, status: "ok", problems: [] });
  });

  it("reports unavailable while no block can be committed", async () => {
    const { test, problems } = await open();
    isBroken = true;
    const hash = await test.chain.submit(await test.sign(0, { nonce: 0 }));
    await vi.waitUntil(() => test.chain.findFailure() !== undefined, { timeout: 60_000 });
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200 });
    later(30_000);
    expect(await getHealth(problems)).toMatchObject({
      httpStatus: 503,
      problems: [{ code: "commits_failing", message: expect.stringMatching(/^No block .* for 3\d seconds/) }],
    });
    isBroken = false;
    await test.chain.waitForTransaction(hash, 60_000);
    await vi.waitUntil(() => test.chain.findFailure() === undefined, { timeout: 60_000 });
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200, problems: [] });
  });

  it("reports degraded while one of the facilitator's accounts can't pay for gas", async () => {
    const poor = "0x00000000000000000000000000000000000000AA";
    const { problems } = await open(false);
    problems.watchRelayers([addresses[0]!]);
    expect(await getHealth(problems)).toMatchObject({ status: "ok" });
    problems.watchRelayers([addresses[0]!, poor]);
    expect(await getHealth(problems)).toMatchObject({
      httpStatus: 200,
      status: "degraded",
      problems: [{ code: "relayer_out_of_gas", message: expect.stringContaining(`${poor.toLowerCase()} has 0 MON`) }],
    });
  });

  it("reports ok if the faucet can top up the facilitator's accounts", async () => {
    const { problems } = await open();
    problems.watchRelayers(["0x00000000000000000000000000000000000000AA"]);
    expect(await getHealth(problems)).toMatchObject({ status: "ok", problems: [] });
  });

  it("reports unavailable if the database does not respond", async () => {
    const { problems } = await open();
    vi.spyOn(store, "findVersions").mockRejectedValue(new Error("gone"));
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 503, problems: [{ code: "store_unreachable" }] });
  });
});

describe("/api/health of a remote network", () => {
  it("reports unavailable while the node is silent, and degraded while the facilitator has no gas there", async () => {
    let silence: number | undefined;
    let balance = "0x0";
    const wire = { number: "0x7", hash: head.hash, timestamp: "0x1" } as unknown as WireHead;
    const heads = {
      head: () => wire,
      onHead: () => () => undefined,
      findSilence: () => silence,
      close: () => undefined,
    };
    const request = async ({ method }: { method: string }) => (method === "eth_gasPrice" ? "0x1" : balance);
    const remote = { request, heads, genesisHash: head.hash };
    const { problems } = createRemoteNetwork({
      network,
      limits,
      remote,
      payments: store,
      names: () => [],
      resources: () => [],
    });
    problems.watchRelayers([addresses[0]!]);
    const gas = { code: "relayer_out_of_gas", severity: "degraded" };
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200, status: "degraded", problems: [gas] });
    silence = Date.now() - 60_000;
    const silent = { code: "remote_node_silent", severity: "down", message: expect.stringContaining("60 seconds") };
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 503, problems: [silent, gas] });
    silence = undefined;
    balance = "0xde0b6b3a7640000";
    // Balances are cached, so the new balance takes effect only after the cached one expires.
    later(60_000);
    expect(await getHealth(problems)).toMatchObject({ httpStatus: 200, status: "ok", problems: [] });
  });
});

describe("a health check", () => {
  const noGas = { network, findBalance: async () => 0n, findGasPrice: async () => 1n };
  const find = (check: Parameters<typeof createProblems>[0][number]) => createProblems([check], noGas).find();

  it("finds a remote node that has not responded for a long time", async () => {
    expect(await find(checkRemoteNode(() => undefined))).toEqual([]);
    expect(await find(checkRemoteNode(() => Date.now() - 1_000))).toEqual([]);
    expect(await find(checkRemoteNode(() => Date.now() - 60_000))).toMatchObject([
      { code: "remote_node_silent", severity: "down", message: expect.stringContaining("60 seconds") },
    ]);
  });

  it("finds an index that is behind the chain", async () => {
    const behind = (end: number) => find(checkIndex(() => head, { findReadModelEnd: async () => end }));
    expect(await behind(8)).toEqual([]);
    expect(await behind(7)).toMatchObject([
      { code: "index_behind", message: expect.stringContaining("1 block behind") },
    ]);
  });

  it("finds a disk that is full or nearly full before a write fails", async () => {
    const disk = (free: number | undefined) =>
      find(checkDisk({ findFullAt: () => undefined, findFreeSpace: async () => free }));
    expect(await disk(undefined)).toEqual([]);
    expect(await disk(2 ** 31)).toEqual([]);
    expect(await disk(2 ** 26)).toMatchObject([{ code: "disk_low", severity: "degraded" }]);
    expect(await disk(4_096)).toMatchObject([{ code: "store_full", severity: "down" }]);
  });

  it("forgets a full disk after a while, so that a load balancer sends traffic again", async () => {
    const full = (agoMs: number) =>
      find(checkDisk({ findFullAt: () => Date.now() - agoMs, findFreeSpace: async () => 2 ** 31 }));
    expect(await full(1_000)).toMatchObject([{ code: "store_full" }]);
    expect(await full(120_000)).toEqual([]);
  });
});
