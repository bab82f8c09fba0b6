/**
 * Tests which blocks are kept and when they are outdated, first with made-up blocks and then on a real chain that is
 * rewound.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { HeadEvent } from "@/server/chain/head";
import { loadConfig } from "@/server/config/config";
import { createDispatcher } from "@/server/rpc/dispatch";
import { createEmbeddedNetwork } from "@/server/rpc/embeddedNetwork";
import { findLogTexts } from "@/server/rpc/packedLogs";
import { createRecentBlocks } from "@/server/rpc/recentBlocks";
import { developer } from "@/server/rpc/testing/fixedChain";
import { sampleInitCode } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { createTestChain, type TestCommit, toAddress, toHash } from "@/server/storage/testing/fixtures";

/** Recent blocks of a chain whose head the test moves. */
function createSetup(limit?: number) {
  const listeners = new Set<(event: HeadEvent) => void>();
  let head: TestCommit["block"]["header"];
  const recent = createRecentBlocks(
    {
      head: () => head,
      onHead(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    limit,
  );
  return {
    recent,
    listeners,
    /** Moves the head without notifying the listeners, as a rewind does before the next block. */
    moveTo({ block }: TestCommit) {
      head = block.header;
    },
    mine(commit: TestCommit) {
      head = commit.block.header;
      for (const listener of listeners) listener(commit);
    },
  };
}

const logs = [{ address: toAddress(1), topics: [toHash(1)], data: "0x" as const }];
const plan = { transactions: [{ logs }, { logs }] };

/** The hashes of the blocks to which the kept logs belong. */
function listHashes({ recent }: ReturnType<typeof createSetup>, fromBlock: number, toBlock: number) {
  const found = recent.findLogs({ fromBlock, toBlock });
  return (
    found &&
    findLogTexts(found, { addresses: undefined, topics: [] }, 1_000).map(
      (text) => (JSON.parse(text) as { blockHash: string }).blockHash,
    )
  );
}

const toHashes = (...commits: TestCommit[]) => commits.flatMap(({ block }) => [block.header.hash, block.header.hash]);
const outlineHash = (text: string | undefined) => text && (JSON.parse(text) as { hash: string }).hash;

describe("recent blocks", () => {
  it("are found by number, and their logs by a range in which no block is missing", () => {
    const setup = createSetup();
    const chain = createTestChain();
    const unseen = chain.next(plan);
    const [one, two, three] = [chain.next(plan), chain.next(plan), chain.next(plan)];
    setup.moveTo(unseen);
    expect(listHashes(setup, 0, 0)).toBeUndefined();
    for (const commit of [one, two, three]) setup.mine(commit);
    expect(listHashes(setup, 1, 2)).toEqual(toHashes(one, two));
    expect(listHashes(setup, 2, 3)).toEqual(toHashes(two, three));
    expect(listHashes(setup, 0, 3)).toBeUndefined();
    expect(listHashes(setup, 2, 4)).toBeUndefined();
    expect(outlineHash(setup.recent.findOutline(2))).toBe(two.block.header.hash);
    expect(setup.recent.findOutline(0)).toBeUndefined();
    expect(setup.recent.findOutline(4)).toBeUndefined();
  });

  it("that a rewind did not remove stay, and removed ones are replaced", () => {
    const setup = createSetup();
    const [old, other] = [createTestChain(), createTestChain()];
    const shared = [old.next(plan), old.next(plan)];
    for (const _ of shared) other.next(plan);
    const removed = [old.next(plan), old.next(plan), old.next(plan)];
    for (const commit of [...shared, ...removed]) setup.mine(commit);
    setup.moveTo(shared[1]!);
    expect(listHashes(setup, 0, 1)).toEqual(toHashes(...shared));
    expect(listHashes(setup, 1, 2)).toBeUndefined();
    expect(setup.recent.findOutline(2)).toBeUndefined();
    const next = other.next({ ...plan, header: { extraData: "0x01" } });
    expect(next.block.header.hash).not.toBe(removed[0]!.block.header.hash);
    setup.mine(next);
    expect(listHashes(setup, 0, 2)).toEqual(toHashes(...shared, next));
    expect(listHashes(setup, 2, 3)).toBeUndefined();
    setup.mine(other.next(plan));
    expect(listHashes(setup, 3, 4)).toBeUndefined();
  });

  it("are unknown while the head is a block of another history, and dropped once that history continues", () => {
    const setup = createSetup();
    const [old, other] = [createTestChain(), createTestChain()];
    for (const commit of [old.next(plan), old.next(plan)]) setup.mine(commit);
    const [, replaced, next] = [other.next(), other.next(), other.next(plan)];
    setup.moveTo(replaced!);
    expect(listHashes(setup, 0, 1)).toBeUndefined();
    expect(setup.recent.findOutline(0)).toBeUndefined();
    setup.mine(next!);
    expect(listHashes(setup, 2, 2)).toEqual(toHashes(next!));
    expect(setup.recent.findOutline(1)).toBeUndefined();
  });

  it("are bounded: the oldest are dropped first, and a block that is too large alone is not kept", () => {
    const setup = createSetup(20_000);
    const chain = createTestChain();
    for (let number = 0; number < 50; number++) setup.mine(chain.next(plan));
    const kept = Array.from({ length: 50 }, (_, number) => setup.recent.findOutline(number) !== undefined);
    expect(kept.lastIndexOf(false)).toBe(kept.indexOf(true) - 1);
    expect(kept.filter(Boolean).length).toBeGreaterThan(3);
    expect(kept.filter(Boolean).length).toBeLessThan(12);
    setup.mine(chain.next({ transactions: Array.from({ length: 300 }, () => ({ logs })) }));
    expect(setup.recent.findOutline(50)).toBeUndefined();
    setup.mine(chain.next(plan));
    expect(setup.recent.findOutline(51)).toBeDefined();
  });

  it("stop following the chain when closed", () => {
    const { recent, listeners } = createSetup();
    recent.close();
    expect(listeners.size).toBe(0);
  });
});

describe("a chain with recent blocks", () => {
  const logResults = 20;
  let node: TestNode;
  beforeAll(async () => {
    node = await createTestNode({ isDeveloped: true, limits: { logResults } });
  });
  afterAll(() => node?.close());

  const account = developer(0).address;
  const toBlock = (number: number) => `0x${number.toString(16)}`;

  /** Creates a contract that logs each call, and calls it three times per block. */
  async function mineLogs(blocks: number): Promise<void> {
    const { request } = node;
    const created = await request({ method: "eth_sendTransaction", params: [{ from: account, data: sampleInitCode }] });
    const receipt = (await request({ method: "eth_getTransactionReceipt", params: [created] })) as {
      contractAddress: string;
    };
    await request({ method: "evm_setAutomine", params: [false] });
    for (let block = 0; block < blocks; block++) {
      for (let call = 0; call < 3; call++) {
        const data = toHash(block * 10 + call);
        const gas = "0x186a0";
        await request({
          method: "eth_sendTransaction",
          params: [{ from: account, to: receipt.contractAddress, data, gas }],
        });
      }
      await request({ method: "evm_mine", params: [] });
    }
    await request({ method: "evm_setAutomine", params: [true] });
  }

  /** Asks the same of the node and of a new network on its chain, which has no recent blocks and reads the store. */
  async function expectSame(requests: [method: string, params: unknown[]][]): Promise<void> {
    const { chain, network } = node;
    const served = createEmbeddedNetwork({
      network,
      chain,
      limits: { ...loadConfig({}, "").limits, logResults },
      faucet: undefined,
      areScriptsAllowed: false,
      names: () => [],
      resources: () => [],
    });
    const stored = createDispatcher(served);
    for (const [method, params] of requests) {
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      expect(await node.dispatcher.dispatch(body, {})).toBe(await stored.dispatch(body, {}));
    }
    stored.close();
  }

  it("reads neither logs nor outlines from the store, unless an index is faster", async () => {
    await mineLogs(1);
    const { chain, dispatcher } = node;
    const reads = [vi.spyOn(chain.store, "listLogs"), vi.spyOn(chain.store, "findBlockOutline")];
    const latest = toBlock(chain.head().number);
    await dispatcher.call("eth_getLogs", [{ fromBlock: latest }], {});
    await dispatcher.call("eth_getBlockByNumber", [latest, false], {});
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    const many = Array.from({ length: 500 }, (_, at) => toAddress(at));
    expect(await dispatcher.call("eth_getLogs", [{ fromBlock: latest, address: many }], {})).toEqual([]);
    expect(reads[0]).toHaveBeenCalledOnce();
    for (const read of reads) read.mockRestore();
  });

  it("returns the same text as one that reads the store, before and after a rewind", async () => {
    await mineLogs(3);
    const snapshot = await node.request({ method: "evm_snapshot", params: [] });
    await mineLogs(4);
    const compare = async () => {
      const { number, hash } = node.chain.head();
      const blocks = Array.from({ length: number + 2 }, (_, at) => toBlock(at));
      await expectSame([
        ...blocks.map((block): [string, unknown[]] => ["eth_getBlockByNumber", [block, false]]),
        ["eth_getBlockByHash", [hash, false]],
        ["eth_getLogs", [{ blockHash: hash }]],
        ...blocks.map((fromBlock): [string, unknown[]] => ["eth_getLogs", [{ fromBlock, toBlock: "latest" }]]),
        [
          "eth_getLogs",
          [{ fromBlock: toBlock(number - 1), toBlock: toBlock(number), topics: [null, toHash(BigInt(account))] }],
        ],
        ["eth_getLogs", [{ fromBlock: toBlock(number - 1), topics: [null, null, null] }]],
      ]);
    };
    await compare();
    await node.request({ method: "evm_revert", params: [snapshot] });
    await compare();
    await mineLogs(2);
    await compare();
  });
});
