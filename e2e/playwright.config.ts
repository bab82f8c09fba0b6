/**
 * The browser tests, against the production build: each worker runs a server of its own (nodeTest.ts) below one folder
 * that goes with the run. Run by `npm test`, which names the browser; alone by `npm run test:e2e`, which takes
 * CHROMIUM_PATH or Playwright's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";

// Playwright reads this file again in every worker: the folder is chosen once and inherited.
if (!process.env.E2E_FOLDER) {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-e2e-"));
  process.env.E2E_FOLDER = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
const { CHROMIUM_PATH: browser } = process.env;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./build.setup.ts",
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  fullyParallel: true,
  // Bounds for what never comes; nothing waits for them on a machine that is merely busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  projects: [
    { name: "seed", testMatch: "seed.setup.ts" },
    { name: "pages", dependencies: ["seed"] },
  ],
  use: {
    ...devices["Desktop Chrome"],
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
});
