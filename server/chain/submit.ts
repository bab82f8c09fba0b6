/**
 * The way of a raw transaction into the pool: every check in the order in which it gets dearer, the sender's account
 * last and against the very head at which the pool takes it.
 */

import type { FindSender } from "@/server/chain/senderRecovery";
import type { PoolChange } from "@/server/chain/txpool/merge";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import {
  assertSender,
  assertTransactionSize,
  assertWellFormed,
  type NextBlockFacts,
  type SenderAccount,
} from "@/server/chain/txpool/validate";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { decodeNetworkTransaction } from "@/server/ethereum/codec/networkTransaction";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Header, Transaction } from "@/server/ethereum/types";
import type { Executor } from "@/server/ports/executor";
import type { Era, PoolRecord, Store } from "@/server/ports/store";

type Context = {
  spec: ChainSpec;
  store: Store;
  pool: ManagedTxPool;
  executor: Executor;
  head: () => Header;
  /** Ends with every change that a developer makes to the state by hand. */
  era: () => Era;
  next: () => NextBlockFacts;
  findSender: FindSender;
};

/** Loading the library takes ten seconds of a core, the cells of six blobs some more. */
const verifyTimeoutMs = 120_000;

/**
 * Validates a raw transaction in its network form and puts it into the pool. Throws MalformedTransactionError or
 * TransactionRefusedError. impersonated is the sender of a transaction that carries a mark in place of a signature.
 */
export async function submitTransaction(context: Context, raw: Uint8Array, impersonated?: Address): Promise<Hash> {
  const { spec, pool, head } = context;
  assertTransactionSize(raw);
  // Blobs are too large to be sent to a thread for one signature.
  const from = impersonated ?? (raw[0] === 3 ? undefined : await context.findSender(raw));
  const { transaction, sidecar } = decodeNetworkTransaction(raw, from);
  const next = context.next();
  assertWellFormed(transaction, spec, next);
  if (transaction.type === 3) {
    if (!sidecar) throw new TransactionRefusedError("blob transaction is invalid", "it comes without its blobs");
    // Proofs take long to verify: only for a sender who could pay.
    const account = await readSender(context.store, transaction.from, head().number);
    assertSender(transaction, { ...account, reservedWei: 0n });
    const { number, timestamp } = next;
    const at = { number, timestamp };
    const { refusal } = await context.executor.run(
      { kind: "verifyBlobs", spec, at, raw, from: transaction.from },
      { timeoutMs: verifyTimeoutMs },
    );
    if (refusal) throw new TransactionRefusedError("blob transaction is invalid", refusal);
  }
  for (;;) {
    const [header, era] = [head(), context.era()];
    const [account, mined] = await Promise.all([
      readSender(context.store, transaction.from, header.number),
      context.store.listMined([transaction.hash]),
    ]);
    // A block or an edit that came in between may have changed the nonce; the pool has already followed it and would not
    // again.
    if (head() !== header || context.era() !== era) continue;
    // EIP-3607 keeps contracts from sending; whoever impersonates one means to.
    const sender = impersonated ? { ...account, isContract: false } : account;
    if (mined.length > 0) refuseMined(transaction, sender);
    pool.add(transaction, raw, sender);
    return transaction.hash;
  }
}

/** Its nonce says why, unless a developer set it back: then the hash does, which a chain holds once. */
function refuseMined(transaction: Transaction, sender: SenderAccount): never {
  assertSender(transaction, { ...sender, reservedWei: 0n });
  throw new TransactionRefusedError("already known", transaction.hash);
}

/** Puts back into the pool what the store kept; what is no longer valid is dropped with its reason. */
export async function restorePool(context: Context): Promise<void> {
  const { spec, store, pool, head } = context;
  const { baseFeePerGas: _, blobBaseFee: __, ...limits } = context.next();
  const at = Date.now();
  const records = await store.listPool();
  const mined = await findMined(store, records);
  for (const record of records) {
    if (!isWaiting(record)) {
      pool.restore(record);
      continue;
    }
    if (mined.has(record.hash)) {
      pool.restore(toMinedRecord(record, at));
      continue;
    }
    const account = await readSender(store, record.sender, head().number);
    try {
      const { transaction } = decodeNetworkTransaction(record.raw, record.sender);
      // Fees rise and fall; what has waited for them so far goes on waiting.
      assertWellFormed(transaction, spec, limits);
      pool.restore(record, { transaction, account });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      pool.restore({ ...record, raw: new Uint8Array(), status: "dropped", reason, changedAtMs: at });
    }
  }
}

const isWaiting = ({ status }: PoolRecord) => status === "pending" || status === "queued";

/** Which of the records that wait are of transactions that the chain holds. */
async function findMined(store: Store, records: PoolRecord[]): Promise<ReadonlySet<Hash>> {
  const mined = await store.listMined(records.filter(isWaiting).map(({ hash }) => hash));
  return new Set(mined.map(({ hash }) => hash));
}

function toMinedRecord({ reason: _, ...record }: PoolRecord, at: number): PoolRecord {
  return { ...record, raw: new Uint8Array(), status: "mined", changedAtMs: at };
}

/** Records that other instances wrote, as changes of this pool; what cannot be read is left out and told. */
export async function toPoolChanges(
  { store, head }: Pick<Context, "store" | "head">,
  records: PoolRecord[],
  onError: (error: unknown) => void,
): Promise<PoolChange[]> {
  const { number } = head();
  const mined = await findMined(store, records);
  const accounts = new Map<Address, Promise<SenderAccount>>();
  const readOnce = (address: Address) => {
    const account = accounts.get(address) ?? readSender(store, address, number);
    accounts.set(address, account);
    return account;
  };
  const changes = await Promise.all(
    records.map(async (record): Promise<PoolChange | undefined> => {
      if (!isWaiting(record)) return { record };
      if (mined.has(record.hash)) return { record: toMinedRecord(record, Date.now()) };
      const transaction = tryDecode(record, onError);
      return transaction && { record, waiting: { transaction, account: await readOnce(record.sender) } };
    }),
  );
  return changes.filter((change) => change !== undefined);
}

function tryDecode({ raw, sender }: PoolRecord, onError: (error: unknown) => void): Transaction | undefined {
  try {
    return decodeNetworkTransaction(raw, sender).transaction;
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** The sender at the end of a block; a delegated account (EIP-7702) is no contract. */
async function readSender(store: Store, address: Address, block: number): Promise<SenderAccount> {
  const account = await store.findAccount(address, block);
  if (!account) return { nonce: 0n, balance: 0n, isContract: false };
  const { nonce, balance, codeHash } = account;
  if (codeHash === emptyCodeHash) return { nonce, balance, isContract: false };
  const code = await store.findCode(codeHash);
  const isDelegated = code?.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00;
  return { nonce, balance, isContract: !isDelegated };
}
