/** Tests when the code of the public contracts is fetched, and which files remain after a failed fetch. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchPublicContracts } from "@/server/bin/publicContracts.mjs";

let cache: string;
let installs: number;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "tollscan-contracts-"));
  installs = 0;
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

/** Simulates an installation: every package's file has the same text. */
async function install(packages: { name: string; file: string }[], folder: string): Promise<void> {
  installs += 1;
  for (const { name, file } of packages) {
    const path = join(folder, "node_modules", name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "0xf90f53aa");
  }
}
const readFetched = () => JSON.parse(readFileSync(join(cache, "publicContracts.json"), "utf8")) as object;

test("fetches the packages once and keeps only the contracts' code", async () => {
  await fetchPublicContracts(cache, install);
  await fetchPublicContracts(cache, install);
  expect(installs).toBe(1);
  expect(readdirSync(cache)).toEqual(["publicContracts.json"]);
  expect(readFetched()).toMatchObject({ multicall3: "0xf90f53aa", permit2: expect.stringMatching(/^0x[0-9a-f]+$/) });
});

test("fetches the packages again if their versions change", async () => {
  writeFileSync(join(cache, "publicContracts.json"), JSON.stringify({ versions: "hardhat-predeploy@0.1.0" }));
  await fetchPublicContracts(cache, install);
  expect(installs).toBe(1);
  expect(readFetched()).toMatchObject({ versions: expect.stringContaining("hardhat-predeploy@0.4.1") });
});

test("leaves nothing behind if the fetch fails", async () => {
  const failing = () => Promise.reject(new Error("no network"));
  await expect(fetchPublicContracts(cache, failing)).rejects.toThrow("no network");
  expect(readdirSync(cache)).toEqual([]);
});
