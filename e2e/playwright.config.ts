/**
 * The browser tests, against the production server on a free port with a data folder of its own that goes with it.
 * Run by `npm test`, which names the browser; alone by `npm run test:e2e`, which takes CHROMIUM_PATH or Playwright's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, devices } from "@playwright/test";

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

// Playwright reads this file again in every worker: port and folder are chosen once and inherited.
if (!process.env.E2E_PORT) {
  process.env.E2E_PORT = String(await findFreePort());
  const folder = mkdtempSync(join(tmpdir(), "tollscan-e2e-"));
  process.env.E2E_DATA = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
const { E2E_PORT: port, E2E_DATA: dataDir, CHROMIUM_PATH: browser } = process.env;
const origin = `http://localhost:${port}`;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  forbidOnly: Boolean(process.env.CI),
  // One chain serves every test: they share it, so each makes the accounts and transactions it looks for.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  projects: [
    { name: "seed", testMatch: "seed.setup.ts" },
    { name: "pages", dependencies: ["seed"] },
  ],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: origin,
    trace: "retain-on-failure",
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: [
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `"${process.execPath}" server/bin/start.mjs`,
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    url: `${origin}/api/health`,
    env: { PORT: port ?? "", TOLLSCAN_DATA: dataDir ?? "" },
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
});
