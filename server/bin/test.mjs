/**
 * `npm test` on a clean clone: installs, then types, lint, unit and integration tests, the production build and the
 * browser tests. Every step runs even when one before it failed. The last line adds all of them up, and the exit code
 * says whether anything failed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBrowser } from "./browser.mjs";
import { buildCommand, childEnv, clearBuildStamp, completeBuild, ensurePackages, root, StepError } from "./prepare.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const reports = mkdtempSync(join(tmpdir(), "tollscan-test-"));
const say = (/** @type {string} */ line) => console.log(line);
const modules = join(root, "node_modules");

/** @param {boolean} ok @returns {Count} */
const toCount = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/**
 * Runs one command with its output shown; answers whether it succeeded.
 * @param {string[]} command @param {NodeJS.ProcessEnv} [env] @returns {Promise<boolean>}
 */
function run([file = "", ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...childEnv, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
}

/** @param {string} script path inside node_modules @param {string[]} args */
const toNodeCommand = (script, ...args) => [process.execPath, join(modules, script), ...args];

/**
 * Reads a runner's report. A runner that fails without a failed test (it crashed, a file did not load) counts one.
 * @param {string} file @param {boolean} ok @param {(report: any) => Count} read @returns {Count}
 */
function readReport(file, ok, read) {
  try {
    const count = read(JSON.parse(readFileSync(file, "utf8")));
    return !ok && count.failed === 0 ? { ...count, failed: 1 } : count;
  } catch {
    return toCount(false);
  }
}

async function runUnitTests() {
  const file = join(reports, "unit.json");
  const ok = await run(
    toNodeCommand("vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`),
  );
  return readReport(file, ok, (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      report.testResults.filter(
        (/** @type {any} */ suite) => suite.status === "failed" && suite.assertionResults.length === 0,
      ).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
}

async function runBuild() {
  clearBuildStamp();
  const ok = await run(buildCommand, { NODE_ENV: "production" });
  if (ok) {
    await completeBuild();
  }
  return toCount(ok);
}

async function runBrowserTests() {
  const file = join(reports, "e2e.json");
  const browser = await getBrowser(say);
  const ok = await run(toNodeCommand("@playwright/test/cli.js", "test", "-c", "e2e", "--reporter=list,json"), {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  return readReport(file, ok, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

/** @type {[title: string, step: () => Promise<Count>][]} */
const steps = [
  ["Types", async () => toCount(await run(toNodeCommand("typescript/bin/tsc", "--noEmit")))],
  ["Lint", async () => toCount(await run(toNodeCommand("@biomejs/biome/bin/biome", "check", ".")))],
  ["Unit and integration tests", runUnitTests],
  ["Production build", runBuild],
  ["Browser tests", runBrowserTests],
];

try {
  await ensurePackages({ withDev: true, say });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const [title, step] of steps) {
  say(`\n== ${title}`);
  const count = await step().catch((error) => {
    console.error(error instanceof StepError ? error.message : error);
    return toCount(false);
  });
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
rmSync(reports, { recursive: true, force: true });
say(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exit(total.failed > 0 ? 1 : 0);
