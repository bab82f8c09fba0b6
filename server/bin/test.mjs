/**
 * `npm test` on a clean clone: installs, then runs type checks, lint, unit and integration tests, the production build
 * and the browser tests, with independent steps in parallel. Every step runs even if another failed. The last line
 * shows the totals, and the exit code shows whether anything failed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getBrowser } from "./browser.mjs";
import {
  buildCommand,
  clearBuildStamp,
  completeBuild,
  ensurePackages,
  root,
  StepError,
  toChildEnv,
  typescript,
} from "./prepare.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const reports = mkdtempSync(join(tmpdir(), "tollscan-test-"));
const say = (/** @type {string} */ line) => console.log(line);
const modules = join(root, "node_modules");

/** @param {boolean} ok @returns {Count} */
const toCount = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/**
 * Runs a command and returns whether it succeeded. Its output is shown live, or all at once under a title when it
 * ends.
 * @param {string[]} command @param {{ env?: NodeJS.ProcessEnv, title?: string }} [options] @returns {Promise<boolean>}
 */
function run([file = "", ...args], { env = {}, title } = {}) {
  return new Promise((resolve) => {
    const output = title === undefined ? "inherit" : "pipe";
    const child = spawn(file, args, { cwd: root, env: { ...toChildEnv(), ...env }, stdio: ["ignore", output, output] });
    /** @type {Buffer[]} */
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
    child.on("error", (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on("close", (code) => {
      if (title !== undefined) say(`\n== ${title}\n${Buffer.concat(said)}`);
      resolve(code === 0);
    });
  });
}

/** @param {string} script path inside node_modules @param {string[]} args */
const toNodeCommand = (script, ...args) => [process.execPath, join(modules, script), ...args];

/**
 * Reads a test runner's report. If the runner fails but reports no failed test (because it crashed, or a file did not
 * load), this counts as one failure.
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
  return readReport(file, ok, ({ testResults, ...sums }) => {
    for (const { assertionResults } of testResults) {
      for (const { status, fullName } of assertionResults) {
        if (status !== "passed" && status !== "failed") say(`Skipped: ${fullName}`);
      }
    }
    const isBroken = (/** @type {any} */ suite) => suite.status === "failed" && suite.assertionResults.length === 0;
    return {
      passed: sums.numPassedTests,
      failed: sums.numFailedTests + testResults.filter(isBroken).length,
      skipped: sums.numPendingTests + sums.numTodoTests,
    };
  });
}

async function runBuild() {
  clearBuildStamp();
  const ok = await run(buildCommand, { env: { NODE_ENV: "production" }, title: "Production build" });
  if (ok) {
    await completeBuild();
  }
  return toCount(ok);
}

async function runBrowserTests() {
  const file = join(reports, "e2e.json");
  const browser = await getBrowser(say);
  const ok = await run(toNodeCommand("@playwright/test/cli.js", "test", "-c", "e2e", "--reporter=list,json"), {
    env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  return readReport(file, ok, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

/** @param {string} name @param {string} [title] */
const runTool = async (name, title) =>
  toCount(await run([process.execPath, ...typescript, join(root, "server/tools", name)], { title }));

/** @param {string} title @param {string[]} command */
const runCheck = async (title, command) => toCount(await run(command, { title }));

/**
 * Stages run in order. Within a stage, sequences run in parallel, and each sequence runs its steps in order. Types are
 * checked before the build, because the build writes some type files.
 * @type {[title: string, sequences: (() => Promise<Count>)[][]][]}
 */
const stages = [
  [
    "Unit and integration tests, alongside types, lint and the production build",
    [
      [runUnitTests],
      [
        () => runCheck("Types", toNodeCommand("typescript/bin/tsc", "--noEmit")),
        () => runCheck("Lint", toNodeCommand("@biomejs/biome/bin/biome", "check", ".")),
        () => runCheck("Commit messages", [process.execPath, join(root, "server/bin/checkCommits.mjs")]),
        () => runCheck("Unused files, exports and packages", toNodeCommand("knip/bin/knip.js", "--no-progress")),
        runBuild,
      ],
    ],
  ],
  ["Browser tests", [[runBrowserTests]]],
  [
    "A start from a clean clone and an installation of the package, each with a payment",
    [[() => runTool("cleanClone.ts")], [() => runTool("cleanInstall.ts", "Installation of the package")]],
  ],
];

if (process.argv.length > 2) {
  console.error(
    "npm test runs every test and takes no arguments; use npm run test:unit or npm run test:e2e to run some files.",
  );
  process.exit(2);
}
try {
  await ensurePackages({ withDev: true, say });
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
/** @param {(() => Promise<Count>)[]} steps */
async function runSequence(steps) {
  for (const step of steps) {
    const { passed, failed, skipped } = await step().catch((error) => {
      console.error(error instanceof StepError ? error.message : error);
      return toCount(false);
    });
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
}
for (const [title, sequences] of stages) {
  say(`\n== ${title}`);
  await Promise.all(sequences.map(runSequence));
}
rmSync(reports, { recursive: true, force: true });
say(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exit(total.failed > 0 ? 1 : 0);
