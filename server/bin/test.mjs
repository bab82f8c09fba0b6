/**
 * `npm test` on a clean clone: installs, then runs type checks, lint, unit and integration tests, the production build
 * and the browser tests, with independent steps in parallel. Every step runs even if another failed. The last line
 * shows the totals, and the exit code shows whether anything failed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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

/** @typedef {{ passed: number, skipped: number, failures: string[] }} Count `failures` has a line for each failure. */

const reports = mkdtempSync(join(tmpdir(), "tollscan-test-"));
const say = (/** @type {string} */ line) => console.log(line);
const modules = join(root, "node_modules");

/** @param {boolean} ok @param {string} title @returns {Count} */
const toCount = (ok, title) => ({ passed: ok ? 1 : 0, skipped: 0, failures: ok ? [] : [title] });

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
 * @param {string} title @param {string} file @param {boolean} ok @param {(report: any) => Count} read @returns {Count}
 */
function readReport(title, file, ok, read) {
  try {
    const count = read(JSON.parse(readFileSync(file, "utf8")));
    return !ok && count.failures.length === 0 ? { ...count, failures: [title] } : count;
  } catch {
    return toCount(false, title);
  }
}

async function runUnitTests() {
  const report = join(reports, "unit.json");
  const ok = await run(
    toNodeCommand("vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`),
  );
  return readReport("Unit and integration tests", report, ok, ({ testResults, ...sums }) => {
    const failures = [];
    for (const { name, status: fileStatus, assertionResults } of testResults) {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === "failed");
      for (const { fullName, failureMessages } of failed) {
        failures.push(`${file} › ${fullName}: ${String(failureMessages[0]).split("\n", 1)[0]}`);
      }
      // A file can fail without a failed test: it did not load, or a hook failed.
      if (fileStatus === "failed" && failed.length === 0) failures.push(file);
      for (const { status, fullName } of assertionResults) {
        if (status !== "failed" && status !== "passed") say(`Skipped: ${fullName}`);
      }
    }
    const skipped = sums.numPendingTests + sums.numTodoTests;
    return { passed: sums.numPassedTests, skipped, failures };
  });
}

async function runBuild() {
  clearBuildStamp();
  const ok = await run(buildCommand, { env: { NODE_ENV: "production" }, title: "Production build" });
  if (ok) {
    await completeBuild();
  }
  return toCount(ok, "Production build");
}

/** @param {any} suite of Playwright's report @returns {string[]} the tests that did not pass at once */
const findFailures = ({ specs = [], suites = [] }) => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests.filter(({ status }) => status === "unexpected" || status === "flaky").map(() => `e2e/${file} › ${title}`),
  ),
  ...suites.flatMap(findFailures),
];

async function runBrowserTests() {
  const file = join(reports, "e2e.json");
  const browser = await getBrowser(say);
  const ok = await run(toNodeCommand("@playwright/test/cli.js", "test", "-c", "e2e", "--reporter=list,json"), {
    env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  return readReport("Browser tests", file, ok, ({ stats, suites }) => ({
    passed: stats.expected,
    skipped: stats.skipped,
    failures: findFailures({ suites }),
  }));
}

/** @param {string} name @param {string} [title] */
const runTool = async (name, title) =>
  toCount(await run([process.execPath, ...typescript, join(root, "server/tools", name)], { title }), title ?? name);

/** @param {string} title @param {string[]} command */
const runCheck = async (title, command) => toCount(await run(command, { title }), title);

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

/** @type {Count} */
const total = { passed: 0, skipped: 0, failures: [] };
/** @param {(() => Promise<Count>)[]} steps */
async function runSequence(steps) {
  for (const step of steps) {
    const { passed, skipped, failures } = await step().catch((error) => {
      console.error(error instanceof StepError ? error.message : error);
      return toCount(false, "A step that ended early (see above)");
    });
    total.failures.push(...failures);
    total.passed += passed;
    total.skipped += skipped;
  }
}
for (const [title, sequences] of stages) {
  say(`\n== ${title}`);
  await Promise.all(sequences.map(runSequence));
}
rmSync(reports, { recursive: true, force: true });
// A log is often read from its end, or only its end is kept.
const failed = total.failures.length;
if (failed > 0) say(["\n== Failed", ...total.failures].join("\n"));
say(`\n${total.passed} passed, ${failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exit(failed > 0 ? 1 : 0);
