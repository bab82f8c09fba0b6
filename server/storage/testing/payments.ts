/**
 * Tests the ledger on every kind of store. A change is written only if the payment still has the revision that the
 * change was based on, lists are complete across pages, and totals equal a full count.
 */
import { expect, it } from "vitest";
import type { Address } from "@/server/ethereum/types";
import type { PaidResource, PaidResourceFilter, PaymentFilter, PaymentRecord, Store } from "@/server/ports/store";
import { toAddress, toHash } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const [alice, bob, token, otherToken] = [toAddress(0xa1), toAddress(0xb0), toAddress(0x70), toAddress(0x71)];
const carol = toAddress(0xca);
const now = 1_800_000_000_000;

export function describePayments(use: UseStore): void {
  it("keeps every field of a payment, and finds it by id, transaction, identifier and state", async () => {
    const test = use();
    // Three of the payments were created in the same millisecond, so the ID decides their order.
    const records = [10, 20, 20, 20, 30].map((afterMs, at) => toPayment(at, now + afterMs));
    for (const record of records) expect(await test.store.changePayments([record])).toBe(true);
    const settled: PaymentRecord = {
      ...records[1]!,
      revision: 1,
      state: "refunded",
      settledUnits: 2n ** 255n,
      transaction: toHash(0x7a),
      batch: { size: 2, index: 0 },
      gasUsed: 51_000n,
      gasCostWei: 2n ** 70n,
      refundOf: toHash(77),
      refundedUnits: 0n,
      refundTransaction: toHash(0x7b),
      identifier: "order-0123456789",
      collectedBy: "",
      resource: "https://example.org/é",
      reason: "none",
      steps: [
        { state: "verified", atMs: now },
        { state: "refunded", atMs: now + 1 },
      ],
      changedAtMs: 99,
    };
    const beside = { ...records[3]!, revision: 1, transaction: toHash(0x7a), batch: { size: 2, index: 1 } };
    expect(await test.store.changePayments([settled, beside], { transaction: toHash(0x7a), raw: "0x02c0" })).toBe(true);
    const store = await test.reopen();
    expect(await store.findPayment(settled.id)).toEqual(settled);
    expect(await store.findPayment(records[0]!.id)).toEqual(records[0]);
    expect(await store.findPayment(toHash(404))).toBeUndefined();
    expect(await store.findPaymentByIdentifier("order-0123456789")).toEqual(settled);
    expect(await store.findPaymentByIdentifier("another")).toBeUndefined();
    expect(await store.listByPrefix("payment", settled.id.slice(2, 66), 5)).toEqual([{ id: settled.id }]);
    const first = settled.id.slice(2, 3);
    expect((await store.listByPrefix("payment", first, 5)).map(({ id }) => id)).toEqual(
      records
        .map(({ id }) => id)
        .filter((id) => id.startsWith(`0x${first}`))
        .sort(),
    );
    expect(await store.findSettlement(toHash(0x7a))).toBe("0x02c0");
    expect(await store.findSettlement(toHash(0x7b))).toBeUndefined();
    const byTransaction = await store.findPaymentByTransaction(toHash(0x7a));
    expect(byTransaction.map(({ id }) => id)).toEqual([settled.id, records[3]!.id]);
    const verified = await store.listPaymentsInState("verified");
    expect(verified.map(({ id }) => id)).toEqual([0, 2, 3, 4].map((at) => records[at]!.id));
  });

  it("writes nothing if one of several changes is based on an older revision", async () => {
    const { store } = use();
    const [one, other] = [toPayment(1, now), toPayment(2, now)];
    expect(await store.changePayments([{ ...one, revision: 1 }])).toBe(false);
    expect(await store.changePayments([one])).toBe(true);
    expect(await store.changePayments([one])).toBe(false);
    const next: PaymentRecord = { ...one, revision: 1, state: "settling" };
    const sent = { transaction: toHash(5), raw: "0x01" as const };
    expect(await store.changePayments([next, { ...other, revision: 3 }], sent)).toBe(false);
    expect(await store.findPayment(one.id)).toEqual(one);
    expect(await store.findPayment(other.id)).toBeUndefined();
    expect(await store.findSettlement(toHash(5))).toBeUndefined();
    // If two changes are based on the same revision, the later one fails and doesn't undo the first.
    expect(await store.changePayments([next])).toBe(true);
    expect(await store.changePayments([{ ...next, state: "failed" }])).toBe(false);
    expect(await store.findPayment(one.id)).toEqual(next);
  });

  it("assigns an identifier to only one payment", async () => {
    const { store } = use();
    const identifier = "order-0123456789";
    expect(await store.changePayments([{ ...toPayment(1, now), identifier }])).toBe(true);
    expect(await store.changePayments([{ ...toPayment(2, now), identifier }])).toBe(false);
    expect(await store.changePayments([{ ...toPayment(1, now), identifier, revision: 1 }])).toBe(true);
  });

  it("pages through payments newest first with every filter, unaffected by new ones", async () => {
    const { store } = use();
    const records = Array.from({ length: 24 }, (_, at) => {
      const record = toPayment(at, now + Math.floor(at / 3));
      const payer = at % 2 === 0 ? alice : bob;
      return { ...record, payer, payee: at % 3 === 0 ? alice : bob, ...(at % 4 !== 0 && { resource: `r${at % 4}` }) };
    }).map((record, at): PaymentRecord => ({ ...record, state: at % 5 === 0 ? "settled" : "verified" }));
    for (const record of records) await store.changePayments([record]);
    const filters: [PaymentFilter | undefined, (record: PaymentRecord) => boolean][] = [
      [undefined, () => true],
      [{ payer: alice }, ({ payer }) => payer === alice],
      [{ payee: bob }, ({ payee }) => payee === bob],
      [{ resource: "r3" }, ({ resource }) => resource === "r3"],
      [{ state: "settled" }, ({ state }) => state === "settled"],
    ];
    let added = 100;
    for (const [filter, accept] of filters) {
      const paged: PaymentRecord[] = [];
      for (;;) {
        const before = paged.at(-1);
        const page = await store.listPayments({ limit: 4, ...(before && { before }), ...(filter && { filter }) });
        paged.push(...page);
        if (page.length < 4) break;
        await store.changePayments([{ ...toPayment(added, now + 10_000 + added), payer: alice, payee: bob }]);
        added++;
      }
      const expected = records.filter(accept).reverse();
      expect(paged.filter(({ createdAtMs }) => createdAtMs < now + 10_000).map(({ id }) => id)).toEqual(
        expected.map(({ id }) => id),
      );
    }
  });

  it("keeps totals per resource, payee and state that equal a full count", async () => {
    const { store } = use();
    const settled = (at: number, changes: Partial<PaymentRecord> = {}): PaymentRecord => ({
      ...toPayment(at, now),
      state: "settled",
      settledUnits: 100n,
      gasCostWei: 7n,
      resource: "https://a.example",
      ...changes,
    });
    const pay = async (record: PaymentRecord) => expect(await store.changePayments([record])).toBe(true);
    await pay({ ...toPayment(1, now), resource: "https://a.example" });
    await pay(settled(1, { revision: 1 }));
    await pay(settled(2));
    await pay(settled(3, { asset: otherToken, settledUnits: 2n ** 255n }));
    await pay(settled(4, { resource: "https://b.example" }));
    await pay(settled(4, { resource: "https://b.example", revision: 1, state: "refunded", refundedUnits: 40n }));
    await pay({ ...toPayment(5, now), state: "failed", reason: "insufficient_funds" });
    await pay({ ...toPayment(6, now), state: "failed", reason: "insufficient_funds" });
    // The refund is counted together with the payment that it refunds.
    await pay(settled(7, { refundOf: toPayment(4, now).id, settledUnits: 40n, payer: bob, payee: alice }));

    const none = { refunds: 0, refundedUnits: 0n };
    const ofA = {
      subject: "https://a.example",
      asset: token,
      payments: 2,
      settledUnits: 200n,
      gasCostWei: 14n,
      ...none,
    };
    const ofOther = { ...ofA, asset: otherToken, payments: 1, settledUnits: 2n ** 255n, gasCostWei: 7n };
    const ofB = { ...ofA, subject: "https://b.example", payments: 1, settledUnits: 100n, gasCostWei: 7n };
    const refunded = { ...ofB, refunds: 1, refundedUnits: 40n };
    const page = { grouping: "resource", limit: 2 } as const;
    const first = await store.listPaymentTotals(page);
    expect(first).toEqual([ofA, ofOther]);
    const after = { subject: ofOther.subject, asset: otherToken };
    expect(await store.listPaymentTotals({ ...page, after })).toEqual([refunded]);
    expect(await store.listPaymentTotals({ ...page, subject: "https://b.example" })).toEqual([refunded]);
    expect(await store.listPaymentTotals({ grouping: "payee", limit: 9 })).toEqual([
      { ...refunded, subject: bob, payments: 3, settledUnits: 300n, gasCostWei: 21n },
      { ...ofOther, subject: bob },
    ]);
    expect(await countStates(store)).toEqual({
      "failed insufficient_funds": 2,
      refunded: 1,
      settled: 4,
      verified: 0,
    });
  });

  const toEntry = (
    url: string,
    payee: Address,
    updatedAtMs: number,
    more: Partial<PaidResource> = {},
  ): PaidResource => ({
    url: `https://${url}.example`,
    payee,
    payer: alice,
    updatedAtMs,
    type: "http",
    schemes: ["exact"],
    words: url,
    item: `{"at":${updatedAtMs}}`,
    ...more,
  });
  const toKey = ({ url, payee, updatedAtMs }: PaidResource) => ({ url, payee, updatedAtMs });
  const many = { max: 99, maxPerPayee: 99 };

  it("lists resources that describe themselves, latest update first, one entry per payee", async () => {
    const { store } = use();
    const all = [
      toEntry("a", alice, now + 3, { schemes: ["upto", "exact"], words: "rain 100% a_b" }),
      toEntry("a", bob, now + 2, { schemes: ["upto"], type: "mcp", words: "rain and snow" }),
      toEntry("b", alice, now + 1),
    ];
    for (const entry of [toEntry("a", alice, now), ...[...all].reverse()]) await store.putPaidResource(entry, many);
    expect(await store.findPaidResource(all[0] as PaidResource)).toEqual(all[0]);
    expect(await store.findPaidResource({ url: "https://c.example", payee: bob })).toBeUndefined();
    const list = (filter: PaidResourceFilter, limit = 9) => store.listPaidResources({ filter, limit });
    expect(await list({})).toEqual(all.map(toKey));
    expect(await list({}, 2)).toEqual(all.slice(0, 2).map(toKey));
    const filters: [PaidResourceFilter, number[]][] = [
      [{ payee: alice }, [0, 2]],
      [{ type: "mcp" }, [1]],
      [{ scheme: "exact" }, [0, 2]],
      [{ scheme: "exac" }, []],
      [{ scheme: "upto", payee: bob, words: ["rain", "snow"] }, [1]],
      [{ words: ["0% a_"] }, [0]],
      [{ words: ["%"] }, [0]],
      [{ words: ["n_s"] }, []],
    ];
    for (const [filter, found] of filters) {
      expect(await list(filter)).toEqual(found.map((at) => toKey(all[at] as PaidResource)));
      expect(await store.countPaidResources(filter)).toBe(found.length);
    }
  });

  it("limits the entries of each payee and of all payees, and evicts those of the payer with the most entries", async () => {
    const { store } = use();
    const names = async () =>
      (await store.listPaidResources({ filter: {}, limit: 9 })).map(({ url }) => url[8]).join("");
    const put = (url: string, payee: Address, at: number, payer: Address) =>
      store.putPaidResource(toEntry(url, payee, now + at, { payer }), { max: 4, maxPerPayee: 2 });
    await put("a", alice, 0, carol);
    await put("b", bob, 1, alice);
    await put("c", bob, 2, alice);
    await put("d", bob, 3, alice);
    expect(await names()).toBe("dca");
    await put("e", carol, 4, alice);
    await put("f", carol, 5, alice);
    expect(await names()).toBe("feda");
    await put("g", alice, 6, bob);
    expect(await names()).toBe("gfea");
  });
}

async function countStates(store: Store): Promise<Record<string, number>> {
  const totals = await store.listPaymentTotals({ grouping: "state", limit: 99 });
  return Object.fromEntries(totals.map(({ subject, payments }) => [subject, payments]));
}

/** Creates a verified payment. Each number gives a different payment. */
export function toPayment(at: number, createdAtMs: number): PaymentRecord {
  return {
    id: toHash(0x1000 + at),
    revision: 0,
    network: "eip155:31337",
    scheme: at % 2 === 0 ? "exact" : "upto",
    asset: token,
    payer: alice,
    payee: bob,
    amountUnits: 10_000n + BigInt(at),
    nonce: toHash(at),
    state: "verified",
    steps: [{ state: "verified", atMs: createdAtMs }],
    payload: '{"x402Version":2}',
    createdAtMs,
    changedAtMs: createdAtMs,
    validBefore: 1_900_000_000,
  };
}
