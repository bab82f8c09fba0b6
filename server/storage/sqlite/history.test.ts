/**
 * Tests that reading historical state costs as much as reading the latest state, however long the chain is. Both must
 * run the same statements, with the same number of rows, and each statement must be one index seek.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toWord } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Address } from "@/server/ethereum/types";
import { executeCall } from "@/server/execution/call";
import { assemble, returnTop } from "@/server/execution/testing/assemble";
import { alice, createSandbox } from "@/server/execution/testing/sandbox";
import type { Store } from "@/server/ports/store";
import { migrate } from "@/server/storage/migrate";
import { sqliteDialect } from "@/server/storage/schema";
import type { SqlDriver } from "@/server/storage/sql";
import { openSqlite } from "@/server/storage/sqlite/driver";
import { toRecording } from "@/server/storage/sqlite/testing/recording";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { createStore } from "@/server/storage/store";
import { createTestChain } from "@/server/storage/testing/fixtures";

const contract: Address = `0x${"c0".repeat(20)}`;
const slot = toWord(0n);
/** Contract code that reads a balance and then returns the value of the contract's slot 0. */
const code = Buffer.from(assemble(BigInt(alice), "BALANCE", "POP", 0, "SLOAD", ...returnTop).slice(2), "hex");
const codeHash = keccakHex(code);

type Read = { sql: string; rows: number };
type History = { store: Store; driver: SqlDriver; reads: Read[]; length: number; close(): Promise<void> };

/**
 * Creates a chain in which every block changes the contract's slot and two balances. The slot's value is the block's
 * number.
 */
async function createHistory(length: number): Promise<History> {
  const { file, remove } = await createTestFile();
  const driver = openSqlite(file, { readonly: false });
  await migrate(driver, sqliteDialect, file);
  const reads: Read[] = [];
  const recording = toRecording(driver, (sql, _params, rows) => void reads.push({ sql, rows }));
  const store = createStore(recording);
  const chain = createTestChain();
  for (let number = 0; number <= length; number++) {
    const balance = 10n ** 18n + BigInt(number);
    await store.commit(
      chain.next({
        state: {
          accounts: [
            { address: contract, account: { nonce: 1n, balance, codeHash } },
            { address: alice, account: { nonce: 0n, balance, codeHash: keccakHex(new Uint8Array()) } },
          ],
          storage: number === 0 ? [] : [{ address: contract, slot, value: toWord(BigInt(number)) }],
          codes: number === 0 ? [{ hash: codeHash, code: new Uint8Array(code) }] : [],
        },
      }),
    );
  }
  return {
    store,
    driver,
    reads,
    length,
    async close() {
      await store.close();
      await remove();
    },
  };
}

describe("a historical state", () => {
  let short: History;
  let long: History;
  beforeAll(async () => {
    short = await createHistory(20);
    long = await createHistory(1_500);
  });
  afterAll(async () => {
    await short?.close();
    await long?.close();
  });

  /** Runs a call at the given block. Returns the call's statements, each with the number of rows it read. */
  async function callAt({ store, reads }: History, block: number): Promise<Read[]> {
    const job = (await createSandbox({})).toJob({ to: contract });
    reads.length = 0;
    const { listSlots, findEditedRoot, stateReader } = store;
    const { result } = await executeCall(
      { kind: "call", ...job, stateBlock: block },
      { listSlots, findEditedRoot, reads: stateReader! },
    );
    expect(result.output).toBe(toWord(BigInt(block)));
    return [...reads];
  }

  it("needs the same statements and rows for a call at any past block, however long the chain is", async () => {
    // Fills the caches for code and for accounts that don't exist.
    await callAt(short, 2);
    await callAt(long, 2);
    const first = await callAt(short, 1);
    expect(first.length).toBeGreaterThan(2);
    for (const [history, block] of [
      [short, 10],
      [short, 19],
      [long, 1],
      [long, 750],
      [long, 1_499],
    ] as const) {
      expect(await callAt(history, block)).toEqual(first);
    }
  });

  it("is read with one index seek per statement", async () => {
    const statements = new Set((await callAt(long, 3)).map(({ sql }) => sql));
    for (const sql of statements) {
      const params = Array(sql.split("?").length - 1).fill(1);
      const plan = await long.driver.all<{ detail: string }>(`explain query plan ${sql}`, params);
      const isVersioned = sql.includes("block <= ?");
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(
          isVersioned ? /^SEARCH \w+ USING .*\(address=\? AND (slot=\? AND )?block<\?\)$/ : /^SEARCH /,
        ),
      ]);
    }
  });
});
