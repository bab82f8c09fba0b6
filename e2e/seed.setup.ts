/**
 * Runs `npm run seed`, as the README describes, to create the data that every worker starts with: 5,000 mixed
 * transactions and some payments. Every test depends on this data.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { getSeedFolder, startNode } from "./nodeTest";
import { createRpc, findSamples } from "./pages/seededChain";

test("the seed creates a chain with 5,000 mixed transactions", async ({ playwright }) => {
  test.setTimeout(600_000);
  const node = await startNode(getSeedFolder());
  try {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        "server/bin/run.mjs",
        "server/tools/seed.ts",
        "--url",
        node.origin,
        "--transactions",
        "5000",
        "--payments",
        "30",
      ],
      { cwd: root },
    );
    expect(stdout).toContain("5000 transactions sent and mined, 30 of 30 payments settled");
    const rpc = createRpc(await playwright.request.newContext({ baseURL: node.origin }));
    const samples = await findSamples(rpc);
    expect(await rpc("eth_getCode", samples.deployment.contractAddress, "latest")).not.toBe("0x");
    expect((await rpc<{ waits: unknown }>("explorer_getPool", { limit: 10 })) !== null).toBe(true);
  } finally {
    // Stops the server gracefully, so it writes all data to the folder.
    await node.stop("SIGTERM");
  }
});
