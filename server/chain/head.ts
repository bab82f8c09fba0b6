/**
 * The newest block that this process knows. The head moves one step at a time, together with the pool, and only to a
 * block that is already in the store.
 */
import { createListeners, type Listeners } from "@/lib/createListeners";
import { createRecentMap, type RecentMap } from "@/lib/createRecentMap";
import { createTurns } from "@/lib/createTurns";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import type { PoolSettlement } from "@/server/chain/txpool/remove";
import type { Address, Block, Hash, Header, MinedLog, Receipt, Transaction } from "@/server/ethereum/types";
import type { ChainVersion, PoolRecord, Store } from "@/server/ports/store";

/** A block that was just committed. */
export type HeadEvent = { block: Block; receipts: Receipt[] };

/** A change that a dev control made to committed data. */
export type Alteration = {
  /** The new head. After an edit, it is the same as before. */
  header: Header;
  accounts: PoolSettlement["accounts"];
  /** Data that was removed with the blocks; undefined after an edit. */
  removed?: { logs: MinedLog[]; settlements: Hash[] };
};

type Turns = ReturnType<typeof createTurns>;

export type Head = {
  readonly store: Store;
  readonly pool: ManagedTxPool;
  /** Runs storage writes of the head and the pool one at a time. */
  readonly write: Turns;
  /** Runs head changes one at a time. A change that needs both `inTurn` and `write` takes `inTurn` first. */
  readonly inTurn: Turns;
  readonly blocks: Listeners<HeadEvent>;
  readonly alterations: Listeners<Alteration>;
  readonly onError: (error: unknown) => void;
  header: Header;
  /**
   * The chain version that belongs to the header. The version is read before the header, so it may be older than the
   * header but never newer.
   */
  chainVersion: ChainVersion;
  /** Whether the store may have a change that this head hasn't followed. */
  isUncertain: boolean;
  /** Recently read headers below the head, valid for one chain version. */
  headers: { chainVersion: ChainVersion; byNumber: RecentMap<number, Header> };
};

const keptHeaders = 2_048;

/**
 * `onError` receives the errors that listeners throw. By then, the block is committed, so these errors don't make the
 * commit fail.
 */
export function createHead(parts: Omit<Head, "inTurn" | "blocks" | "alterations" | "isUncertain" | "headers">): Head {
  const { onError } = parts;
  return {
    ...parts,
    inTurn: createTurns(),
    blocks: createListeners(onError),
    alterations: createListeners(onError),
    isUncertain: false,
    headers: { chainVersion: parts.chainVersion, byNumber: createRecentMap(keptHeaders, () => 1) },
  };
}

/**
 * The header of a block at or below the head. Returns the same object for the same block, and undefined if a rewind has
 * just removed the block.
 */
export async function findHeader(head: Head, number: number): Promise<Header | undefined> {
  const { headers, chainVersion } = head;
  if (number === head.header.number) return head.header;
  if (headers.chainVersion !== chainVersion) {
    headers.byNumber.clear();
    headers.chainVersion = chainVersion;
  }
  const known = headers.byNumber.get(number);
  if (known) return known;
  const header = await head.store.findHeader(number);
  if (header && headers.chainVersion === head.chainVersion && head.chainVersion === chainVersion) {
    headers.byNumber.set(number, header);
  }
  return header;
}

/**
 * Moves the head and the pool together, so that no reader sees a new head with an old pool or the reverse. `records`
 * are the pool records that the store wrote with the block.
 */
export function moveHead(head: Head, header: Header, settlement: PoolSettlement, records: PoolRecord[] = []): void {
  head.header = header;
  head.pool.settle(settlement, records);
}

/**
 * Changes committed data. If blocks are removed, the pool is emptied too, because its transactions belong to another
 * history. Rejects with the change's error.
 */
export function alterChain(head: Head, change: (header: Header) => Promise<Alteration>): Promise<void> {
  return head.inTurn(async () => {
    // Holds the `write` turn, because another write during the change could store the old history's pool again.
    const alteration = await head.write(() => alter(head, change));
    head.alterations.announce(alteration);
  });
}

async function alter(head: Head, change: (header: Header) => Promise<Alteration>): Promise<Alteration> {
  let alteration: Alteration;
  try {
    alteration = await change(head.header);
    head.chainVersion = await head.store.findChainVersion();
  } catch (error) {
    head.isUncertain = true;
    await moveToStored(head).catch(head.onError);
    throw error;
  }
  const { header, accounts, removed } = alteration;
  if (removed) head.pool.clear("the chain was rewound to an earlier block");
  moveHead(head, header, { mined: [], rejected: [], accounts });
  return alteration;
}

/**
 * Moves to the store's head and keeps the pool. Returns whether the head changed, which happens if a write was stored
 * although it reported a failure.
 */
export function followStore(head: Head): Promise<boolean> {
  return head.inTurn(() => head.write(() => moveToStored(head)));
}

/** Makes sure that this head matches the store's. Call it inside `inTurn`, before building on the head. */
export async function confirmHead(head: Head): Promise<void> {
  if (head.isUncertain) await head.write(() => moveToStored(head));
}

async function moveToStored(head: Head): Promise<boolean> {
  const chainVersion = await head.store.findChainVersion();
  const header = await head.store.findHead();
  if (!header || (header.hash === head.header.hash && chainVersion === head.chainVersion)) {
    head.isUncertain = false;
    return false;
  }
  const accounts = await moveToHeader(head, header, () => listPoolSenders(head));
  head.chainVersion = chainVersion;
  head.isUncertain = false;
  // Rewinding the store deleted the stored pool, so it is written again.
  head.pool.storeAgain().catch(head.onError);
  head.alterations.announce({ header, accounts, removed: { logs: [], settlements: [] } });
  return true;
}

/**
 * Moves to a stored header and returns the listed senders' accounts. `mined` lists the block's transactions. Lists the
 * senders again after each read, because new transactions may have arrived in the meantime.
 */
export async function moveToHeader(
  head: Head,
  header: Header,
  listSenders: () => Address[],
  mined: Transaction[] = [],
): Promise<PoolSettlement["accounts"]> {
  const accounts: PoolSettlement["accounts"] = [];
  const known = new Set<Address>();
  for (;;) {
    const missing = listSenders().filter((sender) => !known.has(sender));
    if (missing.length === 0) break;
    accounts.push(...(await readAccounts(head, missing, header.number)));
    for (const sender of missing) known.add(sender);
  }
  const settlement = { mined, rejected: [], accounts };
  moveHead(head, header, settlement, head.pool.toSettledRecords(settlement));
  return accounts;
}

export function listPoolSenders({ pool }: Head): Address[] {
  return [...new Set(pool.list().map(({ transaction }) => transaction.from))];
}

/** Reads the accounts as they are at the end of a block. */
function readAccounts({ store }: Head, addresses: Address[], block: number): Promise<PoolSettlement["accounts"]> {
  return Promise.all(addresses.map(async (address) => ({ address, account: await store.findAccount(address, block) })));
}
