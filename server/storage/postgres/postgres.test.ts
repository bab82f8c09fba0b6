/**
 * Runs the tests for all stores on a real Postgres server, with several stores in one database. Also tests that several
 * instances can share one store without a fork, and that a broken connection neither loses nor repeats a write.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store, StoreLocation } from "@/server/ports/store";
import {
  StaleHeadError,
  StoreFormatError,
  StoreIdentityError,
  StoreUnavailableError,
  StoreUncertainError,
} from "@/server/storage/errors";
import { openOrCreate, openStore } from "@/server/storage/open";
import { createTestDatabase, cutConnections, runSql } from "@/server/storage/postgres/testing/cluster";
import { chainId, createTestChain, type TestCommit, toAddress, toHash } from "@/server/storage/testing/fixtures";
import { describeRivals } from "@/server/storage/testing/shared";
import { describeStore } from "@/server/storage/testing/suite";

let url: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ url, remove } = await createTestDatabase());
});
afterAll(() => remove());

let count = 0;
const toLocation = (schema: string): StoreLocation => ({ kind: "postgres", url, schema, connections: 4 });
const toFreshLocation = () => toLocation(`tollscan_test-${count++}`);

describeStore("Postgres", async () => {
  const location = toFreshLocation();
  return {
    open: () => openStore(location, { readonly: false }),
    remove: async () => undefined,
  };
});

describe("two stores on one database", () => {
  let location: StoreLocation;
  let store: Store;
  beforeEach(async () => {
    location = toFreshLocation();
    store = await openStore(location, { readonly: false });
  });
  afterEach(() => store.close());
  describeRivals(
    () => ({ store }),
    // The second store has its own connection pool, as if it were in another process.
    () => openStore({ ...location, connections: 5 } as StoreLocation, { readonly: false }),
  );

  it("notify each other of changes", async () => {
    const other = await openStore({ ...location, connections: 5 } as StoreLocation, { readonly: false });
    let stop = () => {};
    const hint = new Promise<void>((resolve) => {
      stop = other.onHint(resolve);
    });
    // The listening connection opens asynchronously.
    let isHeard = false;
    void hint.then(() => {
      isHeard = true;
    });
    while (!isHeard) {
      await store.deletePool([toHash(1)]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    stop();
    await other.close();
  });
});

describe("opening a schema", () => {
  const genesis = createTestChain().next();
  const identity = { chainId, genesisHash: genesis.block.header.hash };

  it("creates it once, even if many instances start together", async () => {
    const location = toFreshLocation();
    const stores = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        openOrCreate({ ...location, connections: 1 + at } as StoreLocation, identity),
      ),
    );
    const outcomes = await Promise.allSettled(stores.map(async (store) => store.commit(genesis)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const store of stores) {
      expect(await store.findIdentity()).toEqual(identity);
      await store.close();
    }
  });

  it("rejects another chain, another program's schema, a newer format and a missing schema, each with a reason", async () => {
    const location = toFreshLocation();
    const store = await openOrCreate(location, identity);
    await store.commit(genesis);
    await store.close();
    const otherChain = openOrCreate(location, { ...identity, chainId: 1 });
    await expect(otherChain).rejects.toThrow(StoreIdentityError);
    await expect(otherChain).rejects.toThrow("belongs to chain 31337, not to chain 1; choose another database.");
    const missing = openStore(toLocation("nowhere"), { readonly: true });
    await expect(missing).rejects.toThrow(StoreUnavailableError);
    await runSql(url, "create schema foreign_one; create table foreign_one.notes (body text)");
    const foreign = openStore(toLocation("foreign_one"), { readonly: false });
    await expect(foreign).rejects.toThrow(StoreFormatError);
    await runSql(url, `update "${(location as { schema: string }).schema}".store set format = 1000`);
    await expect(openStore(location, { readonly: false })).rejects.toThrow("has format 1000");
    const nobody = new URL(url);
    nobody.pathname = "/no_such_database";
    const unknown = openStore({ ...location, url: nobody.href } as StoreLocation, { readonly: false });
    await expect(unknown).rejects.toThrow(StoreUnavailableError);
    await expect(unknown).rejects.not.toThrow(/test@/);
  });
});

describe("broken connections", () => {
  it("never lose an acknowledged block or commit a block twice", async () => {
    const store = await openStore(toFreshLocation(), { readonly: false });
    const chain = createTestChain();
    let [cuts, isDone] = [0, false];
    const cutting = (async () => {
      while (!isDone) {
        cuts += await cutConnections(url);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    })();
    const commits: TestCommit[] = [];
    try {
      // On a fast machine, 25 commits can finish before three connections have been cut, so this waits for both.
      while (commits.length < 25 || cuts < 3) {
        const number = commits.length;
        const commit = chain.next({
          transactions: Array.from({ length: 5 }, () => ({ to: toAddress(number) })),
          state: { storage: [{ address: toAddress(1), slot: toHash(number), value: toHash(1) }] },
        });
        commits.push(commit);
        while (!(await landed(store, commit)));
        await expect(async () => store.commit(commit)).rejects.toThrow(StaleHeadError);
      }
    } finally {
      isDone = true;
    }
    await cutting;
    for (const commit of commits) expect(await store.findBlock(commit.block.header.number)).toEqual(commit.block);
    const slots = await store.listSlots(toAddress(1), commits.length - 1, { limit: commits.length + 1 });
    expect(slots).toHaveLength(commits.length);
    await store.close();
  });
});

describe("a server that goes silent", () => {
  it("makes a write uncertain during the commit and unavailable before it, and the store recovers", async () => {
    const proxy = await startSilentProxy(url);
    const location = { ...toFreshLocation(), url: `${proxy.url}?query_timeout=3000` } as StoreLocation;
    const store = await openStore(location, { readonly: false });
    const [first, second] = Array.from({ length: 2 }, () => createTestChain().next({})) as [TestCommit, TestCommit];
    proxy.silenceAt("commit");
    await expect(store.commit(first)).rejects.toThrow(StoreUncertainError);
    proxy.silenceAt("begin");
    await expect(store.commit(second)).rejects.toThrow(StoreUnavailableError);
    proxy.silenceAt(undefined);
    while (!(await landed(store, first)));
    expect((await store.findHead())?.hash).toBe(first.block.header.hash);
    await store.close();
    await proxy.close();
  });
});

/** Forwards connections. When a message contains the given word, the connection that sent it hangs from then on. */
async function startSilentProxy(target: string) {
  const { hostname, port, pathname, username } = new URL(target);
  let word: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isSilent = false;
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
    client.on("data", (data) => {
      isSilent ||= word !== undefined && data.includes(word);
      if (!isSilent) upstream.write(data);
    });
    upstream.on("data", (data) => !isSilent && client.write(data));
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    silenceAt(value: string | undefined) {
      word = value;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Commits the block and returns whether it was stored. If the outcome is uncertain, reads the stored head to find out.
 */
async function landed(store: Store, commit: TestCommit): Promise<boolean> {
  try {
    await store.commit(commit);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUncertainError);
    return (await store.findHead())?.hash === commit.block.header.hash;
  }
}
