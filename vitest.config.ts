/**
 * Unit and integration tests. Forked processes load TypeScript as production does, so that a worker thread started by
 * the code under test can load its .ts file; a child process is given the same flags by process.execArgv.
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
    // A worker imports a module once for all of its files: what a test changes beyond itself, it changes back.
    isolate: false,
    execArgv: ["--import", new URL("./server/bin/typescript.mjs", import.meta.url).href],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test processes of two cores' worth share the machine with the child processes that tests start.
    maxWorkers: 2,
  },
});
