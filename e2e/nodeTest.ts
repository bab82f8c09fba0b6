/**
 * Playwright's `test`, with one server per worker. Each server uses its own copy of the seeded data, so workers can run
 * in parallel. All tests in a worker share one chain, so each test creates the accounts and transactions it needs.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type APIRequest, test as base } from "@playwright/test";
import { builtServer } from "../server/bin/prepare.mjs";
import { type ServerProcess, startBuiltServer } from "../server/testing/serverProcess";
import { createRpc, findSamples, type Samples } from "./pages/seededChain";

type SeededNode = ServerProcess & { samples: Samples | undefined };

function getRunFolder(): string {
  const folder = process.env.E2E_FOLDER;
  if (!folder) throw new Error("The browser tests run under e2e/playwright.config.ts.");
  return folder;
}

/** The folder that the seed writes its data to. */
export const getSeedFolder = () => join(getRunFolder(), "seed");

/** Starts the built server, including its pages, on a data folder. */
export const startNode = (dataDir: string): Promise<ServerProcess> =>
  startBuiltServer(builtServer, { TOLLSCAN_DATA: dataDir }, []);

async function readSamples(node: ServerProcess, apiRequest: APIRequest): Promise<Samples> {
  const request = await apiRequest.newContext({ baseURL: node.origin });
  try {
    return await findSamples(createRpc(request));
  } finally {
    await request.dispose();
  }
}

export const test = base.extend<{ samples: Samples }, { node: SeededNode }>({
  node: [
    async ({ playwright }, use, { workerIndex }) => {
      const dataDir = join(getRunFolder(), `worker-${workerIndex}`);
      const isSeeded = existsSync(getSeedFolder());
      if (isSeeded) cpSync(getSeedFolder(), dataDir, { recursive: true });
      const node = await startNode(dataDir);
      // Finds the sample items before the first test adds transactions.
      await use({ ...node, samples: isSeeded ? await readSamples(node, playwright.request) : undefined });
      await node.stop("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ node }, use) => use(node.origin),
  /** One example for each kind of item that the seed created. */
  samples: async ({ node }, use) => {
    if (!node.samples) throw new Error("This test needs the seeded chain.");
    await use(node.samples);
  },
});
