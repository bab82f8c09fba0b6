/**
 * npm run test:state: runs every published state test through Tollscan's transition, interpreted and compiled, on all
 * cores, and lists the slowest files. `--tier interpreted` or `--tier compiled` runs only one tier, `--only <part of a
 * path>` selects files, and `--but <part of a path>` excludes files. Exits with code 1 if any outcome differs from the
 * published one.
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findMismatch, openStateTests, readStateTests } from "@/server/execution/testing/stateTests";
import { onTier, type TierName, tiers } from "@/server/execution/testing/tiers";

type FileResult = { file: string; cases: number; failures: string[]; ms: number };

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    but: { type: "string" },
    cores: { type: "string" },
    tier: { type: "string" },
    child: { type: "boolean", default: false },
  },
});

const chosenTiers = (Object.keys(tiers) as TierName[]).filter(
  (tier) => values.tier === undefined || values.tier === tier,
);

function isChosen(file: string): boolean {
  return file.includes(values.only) && (values.but === undefined || !file.includes(values.but));
}

/** In a child process, runs the files that the parent sends, and sends back each result. */
function serve(): void {
  process.on("message", async ({ folder, file }: { folder: string; file: string }) => {
    const startMs = performance.now();
    const failures: string[] = [];
    const tests = readStateTests(join(folder, file));
    for (const test of tests) {
      for (const tier of chosenTiers) {
        try {
          const mismatch = await onTier(tier, () => findMismatch(test));
          if (mismatch) failures.push(`${tier} ${mismatch}`);
        } catch (error) {
          const text = error instanceof Error ? error.stack : error;
          failures.push(`${tier} ${test.name} ${test.fork} ${test.index}: ${text}`);
        }
      }
    }
    const result: FileResult = {
      file,
      cases: tests.length * chosenTiers.length,
      failures,
      ms: performance.now() - startMs,
    };
    process.send!(result);
  });
}

/** Distributes the files to one child process per core. Each process gets its next file when it has finished one. */
async function runFiles(folder: string, files: string[]): Promise<FileResult[]> {
  const results: FileResult[] = [];
  let next = 0;
  const lanes = Array.from({ length: Number(values.cores ?? availableParallelism()) }, async () => {
    const child = fork(
      fileURLToPath(import.meta.url),
      ["--child", ...(values.tier === undefined ? [] : ["--tier", values.tier])],
      { execArgv: process.execArgv },
    );
    try {
      for (let file = files[next++]; file !== undefined; file = files[next++]) {
        const result = await ask(child, folder, file);
        results.push(result);
        for (const failure of result.failures) process.stdout.write(`${file}: ${failure}\n`);
        if (results.length % 100 === 0) process.stderr.write(`${results.length} of ${files.length} files\n`);
      }
    } finally {
      child.kill();
    }
  });
  await Promise.all(lanes);
  return results;
}

function ask(child: ReturnType<typeof fork>, folder: string, file: string): Promise<FileResult> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`The process running ${file} exited.`));
    child.once("exit", onExit);
    child.once("message", (result) => {
      child.off("exit", onExit);
      resolve(result as FileResult);
    });
    child.send({ folder, file });
  });
}

async function main(): Promise<void> {
  const { folder, files, close } = openStateTests();
  try {
    const startMs = performance.now();
    const results = await runFiles(folder, files.filter(isChosen));
    const failures = results.flatMap((result) => result.failures);
    const slowest = results.sort((a, b) => b.ms - a.ms).slice(0, 15);
    for (const { file, cases, ms } of slowest)
      process.stdout.write(`${(ms / 1000).toFixed(1)} s  ${cases} cases  ${file}\n`);
    const cases = results.reduce((sum, result) => sum + result.cases, 0);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    process.stdout.write(`${cases} cases in ${results.length} files, ${failures.length} failed, ${seconds} s\n`);
    if (failures.length > 0 || cases === 0) process.exitCode = 1;
  } finally {
    close();
  }
}

if (values.child) serve();
else await main();
