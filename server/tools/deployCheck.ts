/**
 * `npm run deploy:check`: builds for Vercel without an account, then runs the built functions on this machine against
 * Postgres and checks them. `--report` writes the results to BENCHMARKS.md, `--keep` keeps the build, and `--output
 * <folder>` checks an existing build.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, StepError } from "@/server/bin/prepare.mjs";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { buildOutput, copyProject, ensureCli } from "@/server/tools/deploy/build";
import { type Check, checks, checksWithoutDatabase } from "@/server/tools/deploy/checks";
import { type BuildOutput, listContent, readOutput } from "@/server/tools/deploy/output";
import { startPlatform } from "@/server/tools/deploy/platform";

/** Vercel's limit on a function's unzipped size. */
const limitBytes = 250 * 2 ** 20;
const coldStarts = 5;

const { values: options } = parseArgs({
  options: {
    report: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    output: { type: "string" },
  },
});
const say = (line: string) => console.log(line);
let failures = 0;

function fail(title: string, error: unknown): void {
  failures++;
  say(`✗ ${title}`);
  say(String(error instanceof Error ? error.message : error).replaceAll(/^/gm, "  "));
}

/**
 * Unpacks and runs the functions. Reports a failure if a function's own folder changed or, with a database, if a
 * function wrote to the temporary folder.
 */
async function withPlatform(
  output: BuildOutput,
  project: string,
  env: Record<string, string>,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-functions-"));
  const platform = await startPlatform(project, output, folder, env);
  const before = platform.folders.map(listContent);
  try {
    const earlier = failures;
    await work(platform.origin);
    if (failures > earlier) say(platform.log().slice(-4_000));
    const after = platform.folders.map(listContent);
    if (JSON.stringify(before) !== JSON.stringify(after))
      fail("functions do not write to disk", "A function wrote to its own folder.");
    const written = listContent(platform.temporary);
    if (env.DATABASE_URL && written.length > 0)
      fail("functions do not write to disk", `They wrote ${written.join(", ")}.`);
  } finally {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runChecks(list: readonly Check[], origin: string): Promise<void> {
  for (const { title, run } of list) {
    try {
      await run(origin);
      say(`✓ ${title}`);
    } catch (error) {
      fail(title, error);
    }
  }
}

function reportSizes(output: BuildOutput): string[][] {
  return output.functions.map(({ names, bytes }) => {
    const [name = ""] = [...names].sort((a, b) => a.length - b.length);
    const title = names.length > 1 ? `${name} and ${names.length - 1} more` : name;
    if (bytes > limitBytes)
      fail(`${title} is below Vercel's limit`, `It has ${bytes} bytes; the limit is ${limitBytes}.`);
    return [`/${title}`, `${(bytes / 1e6).toFixed(1)} MB`];
  });
}

/**
 * Measures in milliseconds how long a new instance takes to start and send its whole response, on an existing database.
 * Also measures the next request.
 */
async function measureColdStarts(output: BuildOutput, project: string, env: Record<string, string>, path: string) {
  const figures: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < coldStarts; round++) {
    await withPlatform(output, project, env, async (origin) => {
      for (const list of [figures, warm]) {
        const sinceMs = performance.now();
        const response = await fetch(`${origin}${path}`);
        await response.text();
        if (!response.ok) throw new StepError(`${path} returned ${response.status} while its cold start was measured.`);
        list.push(performance.now() - sinceMs);
      }
    });
  }
  return { cold: median(figures), warm: median(warm) };
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "tollscan-deploy-"));
  const project = options.output ?? join(work, "project");
  // Child processes are killed when this process exits, but not if a signal ends it. Signals therefore make this
  // process exit explicitly.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  try {
    if (options.output === undefined) {
      const cli = await ensureCli(root, say);
      say("Building with Vercel's CLI …");
      copyProject(root, project);
      await buildOutput(cli, project);
    } else if (!existsSync(project)) throw new StepError(`No build found in ${project}.`);
    await check(project, readOutput(project));
  } finally {
    if (options.keep) say(`The build is in ${project}.`);
    else rmSync(work, { recursive: true, force: true });
  }
  say(failures === 0 ? "All checks passed." : `${failures} ${failures === 1 ? "check" : "checks"} failed.`);
}

async function check(project: string, output: BuildOutput): Promise<void> {
  const sizes = reportSizes(output);
  for (const [name, size] of sizes) say(`${size}  ${name}`);

  const env = { DATABASE_URL: (await createTestDatabase()).url };
  const sinceMs = performance.now();
  await withPlatform(output, project, env, async (origin) => {
    await (await fetch(`${origin}/api/health`)).text();
    say(`First start on an empty database: ${Math.round(performance.now() - sinceMs)} ms`);
    await runChecks(checks, origin);
  });
  say("Without a database:");
  await withPlatform(output, project, {}, (origin) => runChecks(checksWithoutDatabase, origin));
  // Timings are meaningless after a failure.
  if (failures > 0) return;
  const rows: string[][] = [["Request", "cold, ms", "warm, ms"]];
  for (const path of ["/api/health", "/api/rpc/testnet", "/testnet"]) {
    const { cold, warm } = await measureColdStarts(output, project, env, path);
    rows.push([path, toText(cold), toText(warm)]);
    say(`Cold start of ${path}: ${Math.round(cold)} ms; the next request ${Math.round(warm)} ms`);
  }
  if (options.report) writeReport(sizes, rows);
}

function writeReport(sizes: string[][], rows: string[][]): void {
  const text = [
    `\`npm run deploy:check -- --report\`, ${describeRun()}. The functions`,
    "are the output of Vercel's own build. They run on this machine, with Postgres beside them. A cold start lasts from the",
    "start of the process to the full response. It includes Node's start, our code and opening both chains. Files are",
    `already unpacked, and the database exists. Medians of ${coldStarts}.`,
    "Vercel adds its own startup time and the latency to the database, so put the database in the functions' region.",
    "",
    toMarkdown(rows),
    "",
    toMarkdown([["Function", "unzipped; at most 250 MB"], ...sizes]),
  ];
  writeSection("Serverless", text.join("\n"));
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  failures++;
}
process.exit(failures === 0 ? 0 : 1);
