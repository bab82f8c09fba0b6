/**
 * Unit and integration tests. Forked processes run with tsx, so that a worker thread or child process started by the
 * code under test reads TypeScript exactly as production does.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  // The app compiles JSX for itself; tests need the same automatic runtime.
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    include: ["{lib,server,components,app}/**/*.test.{ts,tsx}"],
    pool: "forks",
    execArgv: ["--import", "tsx"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test processes of two cores' worth share the machine with the child processes that tests start.
    maxWorkers: 2,
  },
});
