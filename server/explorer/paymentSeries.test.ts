/** Tests the spans of the payment charts: their lengths, their starts, and which payments they count. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readPaymentSeries } from "@/server/explorer/paymentSeries";
import type { Store } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { toPayment } from "@/server/storage/testing/payments";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-series-"));
  store = await openStore({ kind: "sqlite", file: join(folder, "node.db") }, { readonly: false });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it("splits the time into spans of a round length that start at its multiples", async () => {
  const ledger = store;
  const startMs = Date.UTC(2027, 0, 15, 10, 7, 31);
  const add = (number: number, afterMs: number) =>
    ledger.changePayments([
      {
        ...toPayment(number, startMs + afterMs),
        state: "settled",
        settledUnits: 5n,
        resource: `https://a.example/${number}`,
      },
    ]);
  const read = async (spans?: number) => (await readPaymentSeries(ledger, { spans })).spans;
  expect(await read()).toEqual([]);

  await add(1, 0);
  expect(await read()).toEqual([{ fromMs: startMs, toMs: startMs + 1000, payments: 1, units: 5n }]);

  await add(2, 40 * 60_000);
  await add(3, 40 * 60_000 + 1);
  const minutes = await read();
  expect(minutes[0]).toMatchObject({ fromMs: Date.UTC(2027, 0, 15, 10, 6), toMs: Date.UTC(2027, 0, 15, 10, 8) });
  expect(minutes).toHaveLength(21);
  expect(minutes.at(-1)).toMatchObject({ fromMs: Date.UTC(2027, 0, 15, 10, 46), payments: 2, units: 10n });
  expect((await read(2))[0]).toMatchObject({ fromMs: Date.UTC(2027, 0, 15, 10), toMs: Date.UTC(2027, 0, 15, 10, 30) });

  // The single span is longer than any round length.
  await add(4, 3 * 365 * 86_400_000);
  const years = await read(1);
  expect(years).toMatchObject([{ fromMs: startMs, payments: 4, units: 20n }]);
});

it("counts the payments in the wanted asset or, by default, in the one that was used most, not last", async () => {
  const settled = { state: "settled", settledUnits: 5n } as const;
  const other = { ...toPayment(3, 3000), ...settled, asset: `0x${"22".repeat(20)}` as const };
  await store.changePayments([{ ...toPayment(1, 1000), ...settled }, { ...toPayment(2, 2000), ...settled }, other]);
  const { asset, spans } = await readPaymentSeries(store, {});
  expect(asset).toBe(toPayment(1, 1000).asset);
  expect(spans.map(({ payments }) => payments)).toEqual([1, 1]);
  expect(await readPaymentSeries(store, { asset: other.asset })).toMatchObject({
    asset: other.asset,
    spans: [{ fromMs: 3000, payments: 1, units: 5n }],
  });
  expect((await readPaymentSeries(store, { asset: `0x${"33".repeat(20)}` })).spans).toEqual([]);
});
