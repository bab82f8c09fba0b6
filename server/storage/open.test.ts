/** Tests when a database can be opened, and that a failed open leaves the file and its folder unchanged. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoreLocation } from "@/server/ports/store";
import { StoreFormatError, StoreIdentityError, StoreLockedError, StoreUnavailableError } from "@/server/storage/errors";
import { openOrCreate, openStore } from "@/server/storage/open";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { chainId, createTestChain, toHash } from "@/server/storage/testing/fixtures";

let folder: string;
let file: string;
let location: StoreLocation;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ folder, file, remove } = await createTestFile());
  location = { kind: "sqlite", file };
});
afterEach(() => remove());

const genesis = createTestChain().next();
const identity = { chainId, genesisHash: genesis.block.header.hash };

async function createDatabase(): Promise<void> {
  const store = await openOrCreate(location, identity);
  await store.commit(genesis);
  await store.close();
}

function listFiles() {
  // Leaves out the lock file and SQLite's side files, because they hold no data while the database is closed.
  return readdirSync(folder)
    .filter((name) => !/\.lock$|-shm$|-wal$/.test(name))
    .map((name) => [name, readFileSync(`${folder}/${name}`).toString("base64")]);
}

/** Expects every way of opening to fail with the error and to leave every byte of the file unchanged. */
async function expectRefusal(error: new (...args: never[]) => Error, message: string | RegExp): Promise<void> {
  const before = listFiles();
  for (const open of [
    () => openStore(location, { readonly: true }),
    () => openStore(location, { readonly: false }),
    () => openOrCreate(location, identity),
  ]) {
    await expect(open()).rejects.toThrow(error);
    await expect(open()).rejects.toThrow(message);
  }
  expect(listFiles()).toEqual(before);
}

describe("opening a database", () => {
  it("creates a missing folder", async () => {
    file = `${folder}/a/b/chain.sqlite`;
    location = { kind: "sqlite", file };
    await createDatabase();
    const store = await openOrCreate(location, identity);
    expect(await store.findIdentity()).toEqual(identity);
    await store.close();
  });

  it("rejects a writer for another chain or genesis and writes nothing", async () => {
    await createDatabase();
    const before = listFiles();
    const otherChain = openOrCreate(location, { ...identity, chainId: 1 });
    await expect(otherChain).rejects.toThrow(StoreIdentityError);
    await expect(otherChain).rejects.toThrow("belongs to chain 31337, not to chain 1");
    const otherGenesis = openOrCreate(location, { ...identity, genesisHash: toHash(1) });
    await expect(otherGenesis).rejects.toThrow(StoreIdentityError);
    await expect(otherGenesis).rejects.toThrow(
      `${file} starts with a different genesis block (${identity.genesisHash}, not ${toHash(1)}); ` +
        "use the version and settings that created it, or choose another data folder.",
    );
    expect(listFiles()).toEqual(before);
    const store = await openOrCreate(location, identity);
    await store.close();
  });

  it("rejects a file that is not a database", async () => {
    writeFileSync(file, "This is a letter, not a database.\n".repeat(100));
    await expectRefusal(StoreFormatError, `${file} is not a database.`);
    expect(readdirSync(folder)).toEqual(["chain.sqlite"]);
  });

  it("rejects another program's database", async () => {
    const foreign = new Database(file);
    foreign.exec("create table notes (body text); insert into notes values ('mine')");
    await expectRefusal(StoreFormatError, "was created by another program");
    foreign.exec("create table store (a text); create table block (b text)");
    await expectRefusal(StoreFormatError, "was created by another program");
    foreign.close();
  });

  it("rejects a damaged database", async () => {
    await createDatabase();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 2_000);
    writeFileSync(file, bytes);
    await expectRefusal(StoreFormatError, "is damaged");
  });

  it("rejects a newer format", async () => {
    await createDatabase();
    const newer = new Database(file);
    newer.exec("update store set format = 1000");
    newer.close();
    await expectRefusal(StoreFormatError, "has format 1000, but this version supports formats up to");
  });

  it("rejects reading a missing file or a folder", async () => {
    await expect(openStore(location, { readonly: true })).rejects.toThrow(StoreUnavailableError);
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(file);
    for (const readonly of [true, false]) {
      const opening = openStore(location, { readonly });
      await expect(opening).rejects.toThrow(StoreUnavailableError);
      await expect(opening).rejects.toThrow(`${file} cannot be opened as a database`);
    }
  });
});

describe("a folder that this process may not write to", () => {
  const { geteuid = () => -1, seteuid = () => undefined } = process;
  const isRoot = geteuid() === 0;
  afterEach(() => {
    if (isRoot) seteuid(0);
    chmodSync(folder, 0o755);
  });

  it.each([
    ["is empty", false],
    ["has a database", true],
  ])("is reported as read-only if it %s", async (_, isCreated) => {
    if (isCreated) await createDatabase();
    chmodSync(folder, 0o555);
    // Drops root privileges, because root can write to any file.
    if (isRoot) seteuid(65_534);
    const opening = openOrCreate(location, identity);
    await expect(opening).rejects.toThrow(StoreUnavailableError);
    await expect(opening).rejects.toThrow(`${folder} is read-only for this process; make it writable`);
  });
});

describe("a database file", () => {
  it("allows one writer at a time, and another one after the first has closed", async () => {
    const first = await openOrCreate(location, identity);
    await expect(openOrCreate(location, identity)).rejects.toThrow(StoreLockedError);
    await first.commit(genesis);
    await expect(openStore(location, { readonly: false })).rejects.toThrow("is in use by another running node");
    await first.close();
    const second = await openStore(location, { readonly: false });
    expect((await second.findHead())?.number).toBe(0);
    await second.close();
  });

  it("shows readers each block once it is committed, and rejects their writes", async () => {
    const chain = createTestChain();
    const writer = await openOrCreate(location, identity);
    const reader = await openStore(location, { readonly: true });
    expect(await reader.findHead()).toBeUndefined();
    for (let number = 0; number < 3; number++) {
      const commit = chain.next({ transactions: [{}] });
      await writer.commit(commit);
      expect(await reader.findBlock(number)).toEqual(commit.block);
    }
    await expect(async () => reader.commit(chain.next())).rejects.toThrow("opened as read-only");
    await expect(async () => reader.deletePool([toHash(1)])).rejects.toThrow("opened as read-only");
    await writer.close();
    expect((await reader.findHead())?.number).toBe(2);
    await reader.close();
    const later = await openStore(location, { readonly: true });
    expect((await later.findHead())?.number).toBe(2);
    await later.close();
  });
});
