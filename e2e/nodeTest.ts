/**
 * Playwright's `test` with a server of the worker's own on a copy of the seeded data, so that workers run side by side.
 * Within a worker all tests share one chain: each makes the accounts and transactions that it looks for.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { builtServer } from "../server/bin/prepare.mjs";
import { type ServerProcess, startBuiltServer } from "../server/testing/serverProcess";

function getRunFolder(): string {
  const folder = process.env.E2E_FOLDER;
  if (!folder) throw new Error("The browser tests run under e2e/playwright.config.ts.");
  return folder;
}

/** Where the seed leaves its data. */
export const getSeedFolder = () => join(getRunFolder(), "seed");

/** Starts the built server with its pages on a data folder. */
export const startNode = (dataDir: string): Promise<ServerProcess> =>
  startBuiltServer(builtServer, { TOLLSCAN_DATA: dataDir }, []);

export const test = base.extend<object, { node: ServerProcess }>({
  node: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's names.
    async ({}, use, { workerIndex }) => {
      const dataDir = join(getRunFolder(), `worker-${workerIndex}`);
      if (existsSync(getSeedFolder())) cpSync(getSeedFolder(), dataDir, { recursive: true });
      const node = await startNode(dataDir);
      await use(node);
      await node.stop("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ node }, use) => use(node.origin),
});
