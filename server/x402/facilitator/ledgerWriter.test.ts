/**
 * Tests that concurrent ledger changes on a real database share one transaction, and that each has the same result as
 * if it were written alone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keccak256, numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentRecord, PaymentStore, Store } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { createLedgerWriter, writeTogether } from "@/server/x402/facilitator/ledgerWriter";

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tollscan-ledger-"));
  store = await openStore({ kind: "sqlite", file: join(folder, "ledger.sqlite") }, { readonly: false });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

let count = 0;
const newId = () => keccak256(numberToHex(++count));
const account = `0x${"11".repeat(20)}` as const;

function toRecord(id: `0x${string}`, known?: PaymentRecord, changes: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    ...{ id, network: "eip155:1", scheme: "exact", asset: account, payer: account, payee: account, amountUnits: 1n },
    ...{ nonce: id, state: "received", payload: "{}", createdAtMs: 1, changedAtMs: 1, validBefore: 1 },
    ...known,
    ...changes,
    revision: known ? known.revision + 1 : 0,
    steps: [...(known?.steps ?? []), { state: "received", atMs: 1 }],
  };
}

/** Starts a writer, and counts the records in each transaction that it sends to the database. */
function start(changePayments: PaymentStore["changePayments"] = store.changePayments) {
  const sizes: number[] = [];
  const writer = createLedgerWriter({
    ...store,
    async changePayments(records, settlement) {
      sizes.push(records.length);
      return changePayments(records, settlement);
    },
  });
  const touch = (id: `0x${string}`, changes?: Partial<PaymentRecord>) =>
    writeTogether(writer, async () => [toRecord(id, await store.findPayment(id), changes)]);
  return { writer, sizes, touch };
}

describe("concurrent changes", () => {
  it("share one transaction", async () => {
    const { sizes, touch } = start();
    const ids = Array.from({ length: 20 }, newId);
    expect(await Promise.all(ids.map((id) => touch(id)))).toEqual(ids.map(() => true));
    expect(sizes).toEqual([20]);
    for (const id of ids) expect((await store.findPayment(id))?.revision).toBe(0);
  });

  it("to the same payment are made one after another", async () => {
    const { touch } = start();
    const [id, other] = [newId(), newId()];
    expect(await Promise.all([touch(id), touch(other), touch(id), touch(id)])).toEqual([true, true, true, true]);
    expect([await store.findPayment(id), await store.findPayment(other)].map((found) => found?.revision)).toEqual([
      2, 0,
    ]);
  });

  it("assign an identifier to only one payment, and the other change fails", async () => {
    const { writer } = start();
    const [id, other] = [newId(), newId()];
    const take = (mine: `0x${string}`) =>
      writeTogether(writer, async () => {
        const named = await store.findPaymentByIdentifier("name");
        if (named && named.id !== mine) throw new Error("The name is taken.");
        return [toRecord(mine, undefined, { identifier: "name" })];
      });
    const taken = await Promise.allSettled([take(id), take(other)]);
    expect(taken.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await store.findPayment(other)).toBeUndefined();
  });

  it("can fail or have no effect without affecting the others", async () => {
    const { writer, sizes, touch } = start();
    const id = newId();
    const made = await Promise.allSettled([
      writeTogether(writer, () => Promise.reject(new Error("It cannot be read."))),
      writeTogether(writer, async () => undefined),
      touch(id),
    ]);
    expect(made).toMatchObject([{ status: "rejected" }, { value: false }, { value: true }]);
    expect(sizes).toEqual([1]);
  });

  it("are made one by one if another writer has changed one of the records", async () => {
    const [id, other] = [newId(), newId()];
    await store.changePayments([toRecord(id)]);
    let isFirst = true;
    const { sizes, touch } = start(async (records, settlement) => {
      if (isFirst) await store.changePayments([toRecord(id, await store.findPayment(id))]);
      isFirst = false;
      return store.changePayments(records, settlement);
    });
    expect(await Promise.all([touch(id), touch(other)])).toEqual([true, true]);
    expect(sizes).toEqual([2, 1, 1]);
    expect([await store.findPayment(id), await store.findPayment(other)].map((found) => found?.revision)).toEqual([
      2, 0,
    ]);
  });

  it("all fail if the database fails, and later changes succeed", async () => {
    let isBroken = true;
    const { touch } = start(async (records, settlement) => {
      if (isBroken) throw new Error("The disk is full.");
      return store.changePayments(records, settlement);
    });
    const [id, other] = [newId(), newId()];
    const made = await Promise.allSettled([touch(id), touch(other)]);
    expect(made.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isBroken = false;
    expect(await touch(id)).toBe(true);
  });
});
