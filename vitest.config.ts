/**
 * Unit and integration tests. Forked processes load TypeScript as production does, so that a worker thread started by
 * the code under test can load its .ts file. Child processes get the same flags through process.execArgv.
 */
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take more than five seconds each. They start first, and `npm run test:quick` skips them. */
const long = [
  "compile",
  "crash",
  "fuzz",
  "instances",
  "main",
  "outage",
  "postgres",
  "soak",
  "tollscan",
  "transactionTypes",
].map((name) => `{lib,server}/**/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specs);
    return sorted.toSorted((a, b) => Number(b.project.name === "long") - Number(a.project.name === "long"));
  }
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  // The app's build compiles JSX with the automatic runtime. The tests need the same one.
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    globalSetup: "server/testing/publicContracts.mjs",
    pool: "forks",
    // A worker imports each module once for all its files, so a test must restore any state that it changes.
    isolate: false,
    execArgv: ["server/bin/typescript.mjs", "server/testing/nextServer.mjs"].flatMap((file) => [
      "--import",
      new URL(file, import.meta.url).href,
    ]),
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Ends the wait for events that never arrive. No passing test waits this long, even on a busy machine.
    expect: { poll: { timeout: 120_000 } },
    // Two test processes share the machine with the child processes that tests start.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "long", include: long } },
      {
        extends: true,
        test: {
          name: "short",
          include: ["{lib,server,components,app}/**/*.test.{ts,tsx}"],
          exclude: [...configDefaults.exclude, ...long],
        },
      },
    ],
  },
});
