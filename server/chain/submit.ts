/**
 * Adds a raw transaction to the pool. Checks run from cheapest to most expensive. The sender's account is checked last,
 * against the head that is current when the pool adds the transaction.
 */
import { toNextBlockFacts } from "@/server/chain/blockEnv";
import type { Head } from "@/server/chain/head";
import { toNextBlockEnv } from "@/server/chain/producer/settings";
import type { Producer } from "@/server/chain/producer/state";
import type { FindSender } from "@/server/chain/senderRecovery";
import type { PoolChange } from "@/server/chain/txpool/admit";
import { toMinedRecord } from "@/server/chain/txpool/outcomes";
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
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, Store } from "@/server/ports/store";

/**
 * This is enough for a queue of sixteen transactions with six blobs each. Verifying one transaction's cell proofs takes
 * half a second of CPU time.
 */
const verifyTimeoutMs = 30_000;

/**
 * Validates a raw transaction in network form and adds it to the pool. Throws MalformedTransactionError or
 * TransactionRefusedError. If `impersonated` is set, the transaction has a marker instead of a signature.
 */
export async function submitTransaction(
  { producer, findSender }: { producer: Producer; findSender: FindSender },
  raw: Uint8Array,
  { impersonated, signer }: { impersonated?: Address; signer?: Address } = {},
): Promise<Hash> {
  const { spec, executor, head } = producer;
  const { store, pool } = head;
  assertTransactionSize(raw);
  // Blobs are too large to send to a thread just to recover one sender.
  const from = impersonated ?? signer ?? (raw[0] === 3 ? undefined : await findSender(raw));
  const { transaction, sidecar } = decodeNetworkTransaction(raw, from);
  const next = toNextFacts(producer);
  assertWellFormed(transaction, spec, next);
  if (transaction.type === 3) {
    if (!sidecar) throw new TransactionRefusedError("blob transaction is invalid", "its blobs are missing");
    // Checks the sender first, because proofs are slow to verify.
    const account = await readSender(store, transaction.from, head.header.number);
    assertSender(transaction, { ...account, reservedWei: 0n });
    const { refusal } = await executor.run(
      { kind: "verifyBlobs", raw, from: transaction.from },
      { timeoutMs: verifyTimeoutMs },
    );
    if (refusal) throw new TransactionRefusedError("blob transaction is invalid", refusal);
  }
  for (;;) {
    const { header, chainVersion } = head;
    const [account, mined] = await Promise.all([
      readSender(store, transaction.from, header.number),
      store.listMined([transaction.hash]),
    ]);
    // A block or an edit may have changed the nonce during these reads. The pool has already followed that change, so
    // the account must be read again.
    if (head.header !== header || head.chainVersion !== chainVersion) continue;
    // EIP-3607 doesn't allow contracts to send transactions. An impersonated contract is an exception.
    const sender = impersonated ? { ...account, isContract: false } : account;
    if (mined.length > 0) refuseMined(transaction, sender);
    pool.add(transaction, raw, sender);
    return transaction.hash;
  }
}

/**
 * Rejects a transaction that is already mined, usually because its nonce is too low. If dev controls have set the nonce
 * back, rejects it because a chain contains each hash only once.
 */
function refuseMined(transaction: Transaction, sender: SenderAccount): never {
  assertSender(transaction, { ...sender, reservedWei: 0n });
  throw new TransactionRefusedError("already known", transaction.hash);
}

/**
 * Restores the pool from the store. Drops transactions that are no longer valid. Call this before following other
 * instances. Otherwise, a mined transaction might be restored after its block and never leave the pool.
 */
export function restorePool(producer: Producer): Promise<void> {
  return producer.head.write(() => restoreRecords(producer));
}

async function restoreRecords(producer: Producer): Promise<void> {
  const { spec, head } = producer;
  const { store, pool } = head;
  const { baseFeePerGas: _, blobBaseFee: __, ...limits } = toNextFacts(producer);
  const at = Date.now();
  const records = await store.listPool();
  const mined = await findMined(store, records);
  for (const record of records) {
    if (!isWaiting(record)) {
      pool.restore({ record });
      continue;
    }
    if (mined.has(record.hash)) {
      pool.restore({ record: toMinedRecord(record, at) });
      continue;
    }
    const account = await readSender(store, record.sender, head.header.number);
    try {
      const { transaction } = decodeNetworkTransaction(record.raw, record.sender);
      // Doesn't check fees, because a transaction that waits for lower fees stays in the pool.
      assertWellFormed(transaction, spec, limits);
      pool.restore({ record, waiting: { transaction, account } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      pool.restore({ record: { ...record, raw: new Uint8Array(), status: "dropped", reason, changedAtMs: at } });
    }
  }
}

/** The limits and prices of the next block. */
const toNextFacts = ({ spec, settings, head }: Producer): NextBlockFacts =>
  toNextBlockFacts(spec, toNextBlockEnv(settings, head.header));

const isWaiting = ({ status }: PoolRecord) => status === "pending" || status === "queued";

/** The hashes of pending and queued transactions that are already mined. */
async function findMined(store: Store, records: PoolRecord[]): Promise<ReadonlySet<Hash>> {
  const mined = await store.listMined(records.filter(isWaiting).map(({ hash }) => hash));
  return new Set(mined.map(({ hash }) => hash));
}

/** Turns records from other instances into changes to this pool. Unreadable records are skipped and reported. */
export async function toPoolChanges(
  { store, header }: Head,
  records: PoolRecord[],
  onError: (error: unknown) => void,
): Promise<PoolChange[]> {
  const mined = await findMined(store, records);
  const accounts = new Map<Address, Promise<SenderAccount>>();
  const readOnce = (address: Address) => {
    const account = accounts.get(address) ?? readSender(store, address, header.number);
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

/** The sender's account at the end of a block. An account with a delegation (EIP-7702) is not a contract. */
async function readSender(store: Store, address: Address, block: number): Promise<SenderAccount> {
  const account = await store.findAccount(address, block);
  if (!account) return { nonce: 0n, balance: 0n, isContract: false };
  const { nonce, balance, codeHash } = account;
  if (codeHash === emptyCodeHash) return { nonce, balance, isContract: false };
  const code = await store.findCode(codeHash);
  const isDelegated = code?.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00;
  return { nonce, balance, isContract: !isDelegated };
}
