/**
 * Tests that run on every kind of store: blocks are read back whole, found by every key, and committed entirely or not
 * at all.
 */
import { expect, it } from "vitest";
import type { PoolRecord } from "@/server/ports/store";
import { StaleHeadError, StoreIdentityError } from "@/server/storage/errors";
import {
  chainId,
  createTestChain,
  toAccount,
  toAddress,
  toHash,
  toTransaction,
} from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const owner = toAddress(0xa);

export function describeCommits(use: UseStore): void {
  it("is empty at first", async () => {
    const { store } = use();
    expect(await store.findIdentity()).toBeUndefined();
    expect(await store.findHead()).toBeUndefined();
    expect(await store.findHeader(0)).toBeUndefined();
    expect(await store.findBlock(0)).toBeUndefined();
    expect(await store.findReceipts(0)).toBeUndefined();
    expect(await store.findBlockNumber(toHash(1))).toBeUndefined();
    expect(await store.findTransaction(toHash(1))).toBeUndefined();
    expect(await store.findTransactionAt(0, 0)).toBeUndefined();
    expect(await store.findTransactionAt(Number.MAX_SAFE_INTEGER, 0)).toBeUndefined();
  });

  it("takes its identity from the genesis block and never changes it", async () => {
    const test = use();
    const chain = createTestChain();
    const genesis = chain.next();
    await test.store.commit(genesis);
    await test.store.commit(chain.next());
    const identity = { chainId, genesisHash: genesis.block.header.hash };
    expect(await test.store.findIdentity()).toEqual(identity);
    expect(await (await test.reopen()).findIdentity()).toEqual(identity);
  });

  it("returns a block with all its parts by number and hash", async () => {
    const { store } = use();
    const chain = createTestChain();
    const ommer = chain.next().block.header;
    const parts = createTestChain();
    await store.commit(parts.next());
    const commit = parts.next({
      transactions: [
        { to: owner },
        {
          logs: [{ address: owner, topics: [toHash(1), toHash(2)], data: "0x0102" }],
          receipt: { contractAddress: toAddress(0xcc), effectiveGasPrice: 2n ** 70n },
        },
        {
          receipt: { status: 0, blobGasUsed: 131_072n, blobGasPrice: 2n ** 65n },
          logs: [],
        },
      ],
      ommers: [ommer],
      withdrawals: [{ index: 2n ** 60n, validatorIndex: 7n, address: owner, amount: 2n ** 63n }],
      header: { blobGasUsed: 131_072n, excessBlobGas: 0n, parentBeaconBlockRoot: toHash(5), requestsHash: toHash(6) },
    });
    await store.commit(commit);
    expect(await store.findHead()).toEqual(commit.block.header);
    expect(await store.findHeader(1)).toEqual(commit.block.header);
    expect(await store.findBlock(1)).toEqual(commit.block);
    const { transactions, ...outline } = commit.block;
    const transactionHashes = transactions.map(({ hash }) => hash);
    expect(await store.findBlockOutline(1)).toEqual({ ...outline, transactionHashes });
    expect(await store.findBlockOutline(2)).toBeUndefined();
    expect(await store.findReceipts(1)).toEqual(commit.receipts);
    expect(await store.findBlockNumber(commit.block.header.hash)).toBe(1);
    for (const [index, transaction] of commit.block.transactions.entries()) {
      const mined = {
        transaction,
        receipt: commit.receipts[index],
        blockNumber: 1,
        blockHash: commit.block.header.hash,
        blockTimestamp: commit.block.header.timestamp,
        index,
        baseFeePerGas: 1_000_000_000n,
      };
      expect(await store.findTransaction(transaction.hash)).toEqual(mined);
      expect(await store.findTransactionAt(1, index)).toEqual(mined);
    }
    expect(await store.findTransactionAt(1, 3)).toBeUndefined();
  });

  it("tells empty lists, absent lists and receipts from before Byzantium apart", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(chain.next());
    const commit = chain.next({ withdrawals: [], transactions: [{}] });
    delete commit.receipts[0]!.status;
    commit.receipts[0]!.stateRoot = toHash(9);
    await store.commit(commit);
    expect(await store.findBlock(0)).not.toHaveProperty("withdrawals");
    expect(await store.findReceipts(0)).toEqual([]);
    expect((await store.findBlock(1))?.withdrawals).toEqual([]);
    expect(await store.findReceipts(1)).toEqual(commit.receipts);
  });

  it("rejects a block that does not follow its head, and writes no part of it", async () => {
    const { store } = use();
    const chain = createTestChain();
    const other = createTestChain();
    const genesis = chain.next();
    const first = chain.next();
    const gap = chain.next({ state: { accounts: [{ address: owner, account: toAccount(1n) }] } });
    other.next({ header: { extraData: "0x01" } });
    const fork = other.next({ transactions: [{ to: owner }] });
    await expect(async () => store.commit(first)).rejects.toThrow(StaleHeadError);
    await store.commit(genesis);
    await expect(async () => store.commit(gap)).rejects.toThrow(StaleHeadError);
    await expect(async () => store.commit(fork)).rejects.toThrow(StaleHeadError);
    await expect(async () => store.commit(genesis)).rejects.toThrow(StaleHeadError);
    await expect(async () => store.commit({ ...first, chainId: 1 })).rejects.toThrow(StoreIdentityError);
    expect(await store.findAccount(owner, 2)).toBeUndefined();
    expect(await store.findTransaction(fork.block.transactions[0]!.hash)).toBeUndefined();
    expect(await store.findHead()).toEqual(genesis.block.header);
    await store.commit(first);
    expect(await store.findHead()).toEqual(first.block.header);
  });

  it("writes nothing if one part of a commit cannot be stored", async () => {
    const { store } = use();
    const chain = createTestChain();
    await store.commit(chain.next());
    const record = toRecord(1, "pending");
    const commit = chain.next({
      transactions: [{ logs: [{ address: owner, topics: [], data: "0x" }] }],
      state: {
        accounts: [{ address: owner, account: toAccount(5n) }],
        trieNodes: [{ hash: toHash(8), node: Uint8Array.of(1) }],
      },
      explorer: { tokenTransfers: [toTransfer(0), toTransfer(0)] },
      pool: { put: [record] },
    });
    await expect(async () => store.commit(commit)).rejects.toThrow();
    await expect(async () => store.commit({ ...commit, receipts: [] })).rejects.toThrow(RangeError);
    expect((await store.findHead())?.number).toBe(0);
    expect(await store.findAccount(owner, 1)).toBeUndefined();
    expect(await store.findTrieNode(toHash(8))).toBeUndefined();
    expect(await store.listLogs({ fromBlock: 0, toBlock: 9, addresses: [owner], topics: [], limit: 9 })).toEqual([]);
    expect(await store.listPool()).toEqual([]);
    const explorer = { ...commit.explorer, tokenTransfers: [toTransfer(0)] };
    const whole = { ...commit, explorer };
    await store.commit(whole);
    expect(await store.listPool()).toEqual([record]);
  });

  it("finds which transactions are mined, and rejects a second copy", async () => {
    const { store } = use();
    const chain = createTestChain();
    const genesis = chain.next();
    await store.commit(genesis);
    const many = chain.next({ transactions: Array.from({ length: 230 }, () => ({ to: owner })) });
    const hashes = many.block.transactions.map(({ hash }) => hash);
    expect(await store.listMined(hashes)).toEqual([]);
    await store.commit(many);
    expect(await store.listMined([])).toEqual([]);
    expect(await store.listMined([hashes[3]!])).toEqual([{ hash: hashes[3], blockNumber: 1 }]);
    expect(await store.listMined([toHash(404)])).toEqual([]);
    const found = await store.listMined([toHash(404), ...hashes]);
    expect(found.every(({ blockNumber }) => blockNumber === 1)).toBe(true);
    expect(found.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted());

    const again = chain.next({ transactions: [{ to: owner }] });
    again.block.transactions = [many.block.transactions[0]!];
    await expect(async () => store.commit(again)).rejects.toThrow();
    expect(await store.findHead()).toEqual(many.block.header);
    await store.rewind({ block: 0, edit: 0, holdings: [] });
    expect(await store.listMined(hashes)).toEqual([]);
    await store.commit(many);
    expect(await store.findTransaction(hashes[0]!)).toMatchObject({ blockNumber: 1, index: 0 });
  });

  it("keeps the pool in arrival order and updates it with each mined block", async () => {
    const test = use();
    const chain = createTestChain();
    await test.store.commit(chain.next());
    const records = [3, 1, 2].map((seen) => toRecord(seen, "queued"));
    await test.store.putPool(records);
    expect(await test.store.listPool()).toEqual([records[1], records[2], records[0]]);
    const [third, first, second] = records as [PoolRecord, PoolRecord, PoolRecord];
    const mined: PoolRecord = { ...first, status: "mined", changedAtMs: 50 };
    await test.store.commit(chain.next({ pool: { put: [mined], delete: [second.hash] } }));
    expect(await (await test.reopen()).listPool()).toEqual([mined, third]);
    await test.store.deletePool([third.hash, toHash(404)]);
    expect(await test.store.listPool()).toEqual([mined]);
  });
}

function toTransfer(logIndex: number) {
  return { blockNumber: 1, index: 0, logIndex, token: owner, from: owner, to: owner, amount: 1n };
}

function toRecord(seenAtMs: number, status: PoolRecord["status"]): PoolRecord {
  const transaction = toTransaction(seenAtMs, owner, owner);
  return {
    hash: transaction.hash,
    sender: owner,
    nonce: 2n ** 64n - 2n,
    raw: transaction.raw,
    status,
    reason: "nonce too high",
    seenAtMs,
    changedAtMs: seenAtMs + 1,
  };
}
