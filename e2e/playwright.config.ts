/**
 * Runs browser tests against the production build. Each worker runs a server (nodeTest.ts), and all data is in one
 * folder that is deleted after the run. `npm test` includes these tests and picks the browser; `npm run test:e2e` runs
 * only these, with CHROMIUM_PATH or Playwright's browser.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, devices } from "@playwright/test";

// Playwright loads this file again in every worker. Workers inherit the environment variable and use the same folder.
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
  // These timeouts only matter if an expected event never happens. They're long enough for a busy machine.
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
