/**
 * Tests the list of earnings: its order, and its counts from the latest payments (payers, failures and the time of the
 * last payment).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readEarnings } from "@/server/explorer/paymentEarnings";
import type { PaymentRecord, Store } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { toAddress } from "@/server/storage/testing/fixtures";
import { toPayment } from "@/server/storage/testing/payments";

const folder = mkdtempSync(join(tmpdir(), "tollscan-earnings-"));
let opened: Store | undefined;
afterAll(async () => {
  await opened?.close();
  rmSync(folder, { recursive: true, force: true });
});

const [seller, rival, alice, bob] = [toAddress(1), toAddress(2), toAddress(3), toAddress(4)];
const now = 1_800_000_000_000;

it("lists the highest amount first, with payers, failures and the last arrival", async () => {
  const store = await openStore({ kind: "sqlite", file: join(folder, "node.db") }, { readonly: false });
  opened = store;
  let made = 0;
  const add = (changes: Partial<PaymentRecord>) => {
    made += 1;
    const record = { ...toPayment(made, now + made), payee: seller, payer: alice, ...changes };
    return store.changePayments([record]);
  };
  expect(await readEarnings(store, { by: "payee", limit: 10 })).toEqual({ items: [], payers: 0, isCut: false });
  const settled = { state: "settled", settledUnits: 50n, gasCostWei: 7n } as const;
  await add({ ...settled, resource: "https://a.example/x" });
  await add({ ...settled, resource: "https://a.example/x", payer: bob });
  await add({ ...settled, payer: bob });
  await add({ state: "failed", reason: "insufficient_funds", resource: "https://a.example/x" });
  await add({ ...settled, settledUnits: 2n ** 200n, payee: rival });
  await add({ ...settled, payee: alice, payer: seller, refundOf: toPayment(1, now).id });
  await add({ state: "failed", reason: "insufficient_funds", payee: bob });
  await add({ state: "verified", payee: toAddress(5) });

  const byPayee = await readEarnings(store, { by: "payee", limit: 10 });
  expect(byPayee.items).toMatchObject([
    { subject: rival, payments: 1, settledUnits: 2n ** 200n, payers: 1, settled: 1, failed: 0, lastAtMs: now + 5 },
    { subject: seller, payments: 3, settledUnits: 150n, payers: 2, settled: 3, failed: 1, gasCostWei: 21n },
    { subject: bob, payments: 0, settledUnits: 0n, payers: 0, settled: 0, failed: 1, lastAtMs: now + 7 },
  ]);
  expect(byPayee).toMatchObject({ payers: 2, isCut: false });
  const byResource = await readEarnings(store, { by: "resource", limit: 10 });
  expect(byResource.items).toMatchObject([
    { subject: "https://a.example/x", payments: 2, settledUnits: 100n, payers: 2, failed: 1, lastAtMs: now + 4 },
  ]);
  expect(await readEarnings(store, { by: "payee", limit: 1 })).toMatchObject({
    items: [{ subject: rival }],
    isCut: true,
  });
});

it("ranks by the amount left after refunds", async () => {
  const store = await openStore({ kind: "sqlite", file: join(folder, "refunds.db") }, { readonly: false });
  const settled = { state: "settled", settledUnits: 50n } as const;
  await store.changePayments([
    { ...toPayment(1, now), ...settled, payee: seller },
    { ...toPayment(2, now), ...settled, payee: seller, state: "refunded", refundedUnits: 40n },
    { ...toPayment(3, now), ...settled, payee: rival, settledUnits: 70n },
  ]);
  const { items } = await readEarnings(store, { by: "payee", limit: 10 });
  expect(items).toMatchObject([
    { subject: rival, settledUnits: 70n, refundedUnits: 0n },
    { subject: seller, settledUnits: 100n, refundedUnits: 40n },
  ]);
  await store.close();
});

it("counts the latest 2,000 payments, and all of them in the totals", async () => {
  const store = opened!;
  for (let from = 100; from < 2_200; from += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => toPayment(from + index, now + from + index));
    await store.changePayments(
      batch.map((record) => ({ ...record, payee: rival, state: "settled", settledUnits: 1n })),
    );
  }
  const { items, isCut } = await readEarnings(store, { by: "payee", limit: 10 });
  expect(items[0]).toMatchObject({ subject: rival, payments: 2_101, settled: 2_000 });
  expect(isCut).toBe(true);
});
