/**
 * Tests that run on every kind of store. Edited state is visible at once, and a rewind leaves no trace of the rewound
 * blocks and edits: afterward, the store equals another store that never had them.
 */
import { expect, it } from "vitest";
import type { Store } from "@/server/ports/store";
import { StaleHeadError } from "@/server/storage/errors";
import { createTestChain, type TestCommit, toAccount, toAddress, toHash } from "@/server/storage/testing/fixtures";
import { toPayment } from "@/server/storage/testing/payments";
import type { UseStore } from "@/server/storage/testing/testStore";

const [owner, other, token, zero] = [0xa, 0xb, 0xcc, 0].map(toAddress) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];
const holdings = [{ token, address: owner, units: 100n }];

/**
 * Creates six blocks that change tokens, slots, accounts and logs. Some transfers exceed the sender's balance, so the
 * balance is clamped at zero.
 */
function toCommits(): TestCommit[] {
  const chain = createTestChain();
  return Array.from({ length: 6 }, (_, number) => {
    if (number === 0) return chain.next({ explorer: { holdings }, state: { accounts: [account(number)] } });
    const moves = [
      { from: owner, to: other, amount: 40n },
      { from: other, to: zero, amount: BigInt(30 * number) },
    ];
    const log = { address: token, topics: [toHash(number), toHash(7)], data: "0x" as const };
    return chain.next({
      transactions: [{ to: other, logs: [log] }, { to: owner }],
      state: { accounts: [account(number)], storage: [{ address: token, slot: toHash(1), value: toHash(number) }] },
      explorer: {
        tokenTransfers: moves.map((move, logIndex) => ({ blockNumber: number, index: 0, logIndex, token, ...move })),
        addressTransactions: [{ address: other, blockNumber: number, index: 0, direction: "in" }],
        internalTransfers: [
          { blockNumber: number, index: 0, sequence: 0, kind: "call", from: owner, to: other, value: 1n },
        ],
      },
    });
  });
}

const account = (number: number) => ({ address: owner, account: toAccount(BigInt(1_000 + number), BigInt(number)) });

/** Reads everything that a rewind may change. */
async function read(store: Store): Promise<unknown> {
  const head = await store.findHead();
  const blocks = Array.from({ length: 9 }, (_, number) => number);
  return {
    head,
    blocks: await Promise.all(blocks.map((number) => store.findBlock(number))),
    receipts: await Promise.all(blocks.map((number) => store.findReceipts(number))),
    accounts: await Promise.all(blocks.map((number) => store.findAccount(owner, number))),
    slots: await Promise.all(blocks.map((number) => store.listSlots(token, number, { limit: 9 }))),
    roots: await Promise.all(blocks.map((number) => store.findEditedRoot(number))),
    logs: await store.listLogs({ fromBlock: 0, toBlock: 9, topics: [undefined, [toHash(7)]], limit: 99 }),
    transfers: await store.listTokenTransfers({ token }, { limit: 99 }),
    internal: await store.listInternalTransfers(other, { limit: 99 }),
    ofAddress: await store.listAddressTransactions(other, { limit: 99 }),
    transactions: await store.listTransactions({ limit: 99 }),
    figures: await store.findTokenFigures(token),
    holders: await store.listHolders(token, { limit: 99 }),
    readModel: await store.findReadModelEnd(),
    pool: await store.listPool(),
  };
}

async function edit(store: Store, at: number, balance: bigint, slot: number): Promise<void> {
  const head = (await store.findHead())!;
  await store.editState({
    head,
    stateRoot: toHash(at),
    state: {
      accounts: [
        { address: owner, account: toAccount(balance) },
        { address: other, account: toAccount(balance) },
      ],
      storage: [{ address: token, slot: toHash(slot), value: toHash(at) }],
      codes: [],
      trieNodes: [{ hash: toHash(at), node: Uint8Array.of(at) }],
    },
  });
}

export function describeRewind(use: UseStore): void {
  it("returns the edited state and root from the head on", async () => {
    const { store } = use();
    for (const commit of toCommits().slice(0, 3)) await store.commit(commit);
    await edit(store, 0x11, 5n, 9);
    await edit(store, 0x12, 6n, 9);
    expect(await store.findAccount(owner, 1)).toEqual(toAccount(1_001n, 1n));
    expect(await store.findAccount(owner, 2)).toEqual(toAccount(6n));
    expect(await store.findSlot(token, toHash(9), 2)).toBe(toHash(0x12));
    expect(await store.findEditedRoot(2)).toBe(toHash(0x12));
    expect(await store.findEditedRoot(1)).toBeUndefined();
    const stale = async () =>
      store.editState({
        head: { number: 2, hash: toHash(1) },
        stateRoot: toHash(1),
        state: { accounts: [], storage: [], codes: [], trieNodes: [] },
      });
    await expect(stale()).rejects.toThrow(StaleHeadError);
  });

  it("restores everything at an earlier block, including edits and counters, and continues from there", async () => {
    const { store } = use();
    const commits = toCommits();
    const { store: plain, dispose } = await use().fresh();
    for (const at of [store, plain]) {
      for (const commit of commits.slice(0, 4)) await at.commit(commit);
      await edit(at, 0x21, 7n, 1);
    }
    const before = await read(plain);
    const snapshot = await store.addSnapshot(60);
    expect(snapshot).toEqual({ id: 0, block: 3, edit: 1, clockOffset: 60 });
    await edit(store, 0x22, 8n, 1);
    await edit(store, 0x23, 9n, 2);
    for (const commit of commits.slice(4)) await store.commit(commit);
    await edit(store, 0x24, 10n, 1);
    const later = await store.addSnapshot(0);
    expect(await store.listSnapshots(9)).toEqual([later, snapshot]);
    expect(await read(store)).not.toEqual(before);

    await store.rewind({ block: 3, edit: 1, snapshots: snapshot.id, holdings });
    expect(await read(store)).toEqual(before);
    expect(await store.listSnapshots(9)).toEqual([]);
    for (const { id } of [snapshot, later]) expect(await store.findSnapshot(id)).toBeUndefined();
    expect((await store.addSnapshot(0)).id).toBeGreaterThan(later.id);
    const history = await store.findHistory();
    expect(history).toBeGreaterThan(0);

    for (const at of [store, plain]) for (const commit of commits.slice(4)) await at.commit(commit);
    expect(await read(store)).toEqual(await read(plain));

    await store.rewind({ block: 0, edit: 0, holdings });
    expect(await store.findHistory()).toBeGreaterThan(history);
    expect(await plain.findHistory()).toBe(0);
    const { store: genesis, dispose: disposeGenesis } = await use().fresh();
    await genesis.commit(commits[0]!);
    expect(await read(store)).toEqual(await read(genesis));
    await dispose();
    await disposeGenesis();
  });

  it("starts a new chain version with each edit and rewind, never reuses one, and keeps it across blocks", async () => {
    const { store } = use();
    const commits = toCommits();
    const seen: string[] = [await store.findChainVersion()];
    const look = async () => seen.push((await store.readState({ accounts: [owner], slots: [] }, 0)).chainVersion);
    for (const commit of commits.slice(0, 4)) await store.commit(commit);
    await store.addSnapshot(0);
    expect(await store.findChainVersion()).toBe(seen[0]);
    for (let round = 0; round < 3; round++) {
      await edit(store, 0x31, 7n, 1);
      await look();
      await edit(store, 0x32, 8n, 1);
      await look();
      await store.rewind({ block: 3, edit: round % 2, holdings });
      await look();
      await store.rewind({ block: 3, edit: 0, ...(round === 1 && { snapshots: 0 }), holdings });
      await look();
      expect(await store.findChainVersion()).toBe(seen.at(-1));
    }
    expect(new Set(seen).size).toBe(13);
  });

  it("returns exactly the settlements that were removed", async () => {
    const { store } = use();
    const commits = toCommits();
    for (const commit of commits) await store.commit(commit);
    const [kept, gone] = [2, 5].map((at) => commits[at]!.block.transactions[1]!.hash) as [`0x${string}`, `0x${string}`];
    await store.changePayments([
      { ...toPayment(1, 5), transaction: kept },
      { ...toPayment(2, 5), transaction: gone },
    ]);
    expect(await store.rewind({ block: 2, edit: 0, holdings })).toEqual({ settlements: [gone] });
    await expect((async () => store.rewind({ block: 9, edit: 0, holdings }))()).rejects.toThrow(StaleHeadError);
  });
}
