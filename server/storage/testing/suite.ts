/** The tests that every store must pass, whichever database it uses. */
import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "@/server/ports/store";
import { describeCommits } from "@/server/storage/testing/commit";
import { describeConcurrency } from "@/server/storage/testing/concurrency";
import { describeExchanges } from "@/server/storage/testing/exchanges";
import { describeLists } from "@/server/storage/testing/lists";
import { describeLogs } from "@/server/storage/testing/logs";
import { describePayments } from "@/server/storage/testing/payments";
import { describePrefixes } from "@/server/storage/testing/prefixes";
import { describeRewind } from "@/server/storage/testing/rewind";
import { describeShared } from "@/server/storage/testing/shared";
import { describeState } from "@/server/storage/testing/state";
import type { TestStore } from "@/server/storage/testing/testStore";

/** An empty database for the tests. */
export type TestDatabase = {
  open(): Promise<Store>;
  /** Removes the database. Its stores must be closed first. */
  remove(): Promise<void>;
};

/** Declares the tests for a kind of database. `create` makes an empty database for each test. */
export function describeStore(name: string, create: () => Promise<TestDatabase>): void {
  describe(name, () => {
    let current: TestStore;
    let dispose: () => Promise<void>;
    beforeEach(async () => {
      const database = await create();
      current = {
        store: await database.open(),
        async reopen() {
          await current.store.close();
          current.store = await database.open();
          return current.store;
        },
        async fresh() {
          const extra = await create();
          const store = await extra.open();
          return {
            store,
            async dispose() {
              await store.close();
              await extra.remove();
            },
          };
        },
      };
      dispose = async () => {
        await current.store.close();
        await database.remove();
      };
    });
    afterEach(() => dispose());
    const use = () => current;
    describe("blocks", () => describeCommits(use));
    describe("concurrent changes and reads", () => describeConcurrency(use));
    describe("state", () => describeState(use));
    describe("logs", () => describeLogs(use));
    describe("lists", () => describeLists(use));
    describe("prefixes", () => describePrefixes(use));
    describe("payments", () => describePayments(use));
    describe("recorded exchanges", () => describeExchanges(use));
    describe("edits and rewinds", () => describeRewind(use));
    describe("state that instances share", () => describeShared(use));
  });
}
