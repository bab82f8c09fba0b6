/**
 * Tests that run on every kind of store: recorded exchanges are found by both of their IDs, and deleted fairly when the
 * limit is reached.
 */
import { expect, it } from "vitest";
import type { ExchangeRecord } from "@/server/ports/store";
import { toHash } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const toRecord = (at: number, changes: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  id: `record${at}`,
  client: "one",
  createdAtMs: at,
  flow: `{"at":${at}}`,
  ...changes,
});

export function describeExchanges(use: UseStore): void {
  it("finds a record by its ID, and a payment's newest record", async () => {
    const { store } = use();
    const payment = toHash(7);
    const records = [toRecord(1), toRecord(3, { payment }), toRecord(2, { payment })];
    for (const record of records) await store.putExchange(record, 10);
    expect(await store.findExchange("record1")).toEqual(records[0]);
    expect(await store.findExchange("record2")).toEqual(records[2]);
    expect(await store.findExchangeOfPayment(payment)).toEqual(records[1]);
    expect(await store.findExchange("record4")).toBeUndefined();
    expect(await store.findExchangeOfPayment(toHash(8))).toBeUndefined();
    const reopened = await use().reopen();
    expect(await reopened.findExchange("record1")).toEqual(records[0]);
  });

  it("keeps text as it is, even if it looks like SQL or has unusual characters", async () => {
    const { store } = use();
    const flow = `'); drop table exchange; -- ${JSON.stringify("\u202e\u2028<script>")} 💸`;
    await store.putExchange(toRecord(1, { flow }), 10);
    expect((await store.findExchange("record1"))?.flow).toBe(flow);
    expect(await store.findExchange("' or 1 = 1 --")).toBeUndefined();
  });

  it("deletes the oldest record of the client that has the most", async () => {
    const { store } = use();
    await store.putExchange(toRecord(1, { client: "quiet" }), 4);
    for (const at of [2, 3, 4, 5, 6, 7]) await store.putExchange(toRecord(at, { client: "busy" }), 4);
    const ids = [1, 2, 3, 4, 5, 6, 7].map((at) => `record${at}`);
    const found = await Promise.all(ids.map((id) => store.findExchange(id)));
    expect(found.flatMap((record) => record?.id ?? [])).toEqual(["record1", "record5", "record6", "record7"]);
  });

  it("deletes the oldest of all if every client has the same number", async () => {
    const { store } = use();
    for (const at of [1, 2, 3, 4]) await store.putExchange(toRecord(at, { client: `client ${at}` }), 3);
    expect(await store.findExchange("record1")).toBeUndefined();
    expect(await store.findExchange("record2")).toBeDefined();
  });

  it("keeps to the limit if several records are written at once", async () => {
    const { store } = use();
    const all = Array.from({ length: 12 }, (_, at) => toRecord(at));
    await Promise.all(all.map((record) => store.putExchange(record, 5)));
    await store.putExchange(toRecord(12), 5);
    const found = await Promise.all([...all, toRecord(12)].map(({ id }) => store.findExchange(id)));
    expect(found.filter((record) => record !== undefined)).toHaveLength(5);
  });
}
