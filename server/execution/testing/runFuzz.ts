/**
 * npm run fuzz:evm: runs 100,000 random programs from a fixed seed on Tollscan's engine and the reference engine. Each
 * program runs once with plenty of gas, then again with gas limits that make it run out at various instructions. A
 * difference is shrunk and printed, with a line to add to fuzzRegressions.jsonl, which has every case that ever failed.
 *
 * - `--runs`, `--seed`, `--cuts` (a number or `all`), `--cores`, `--fork`: change the run
 * - `--compiled`: compiles all code before it runs on Tollscan's engine
 * - `--tiers`: compares compiled code with Tollscan's interpreter, which is faster than the reference engine
 * - `--keep-going`: counts differences instead of ending at the first
 */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { setTier } from "@/server/execution/engine";
import { fuzzCase } from "@/server/execution/testing/fuzzCases";
import { type FuzzEngines, findDifference, stringifyCase } from "@/server/execution/testing/fuzzEvm";
import { runOwn } from "@/server/execution/testing/ownEvm";
import { runReference } from "@/server/execution/testing/referenceEvm";
import { tierEngines, tiers } from "@/server/execution/testing/tiers";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    cuts: { type: "string", default: "3" },
    cores: { type: "string", default: String(availableParallelism()) },
    fork: { type: "string" },
    "keep-going": { type: "boolean", default: false },
    compiled: { type: "boolean", default: false },
    tiers: { type: "boolean", default: false },
    child: { type: "boolean", default: false },
  },
});
const cuts = values.cuts === "all" ? Number.POSITIVE_INFINITY : Number(values.cuts);
const engines: FuzzEngines = values.tiers ? tierEngines : { reference: runReference, engine: runOwn };
if (values.compiled) setTier(tiers.compiled);
const cases = values.fork === undefined ? fuzzCase : fuzzCase.filter((each) => each.fork === values.fork);

/** Runs one core's share of the programs. Exits with code 1 after the first difference. */
async function runShare(): Promise<void> {
  const numRuns = Number(values.runs);
  let done = 0;
  let runs = 0;
  let differing = 0;
  const result = await fc.check(
    fc.asyncProperty(cases, async (evmCase) => {
      const found = await findDifference(engines, evmCase, cuts);
      runs += found.runs;
      if (++done % 5_000 === 0) process.stderr.write(`${done} of ${numRuns} programs\n`);
      if (!found.difference) return;
      if (!values["keep-going"]) throw new Error("The engines differ.");
      differing++;
      const { expected, actual } = found.difference;
      process.stdout.write(`${found.difference.evmCase.fork}: expected ${toFirstDifference(expected, actual)}\n`);
    }),
    { numRuns, seed: Number(values.seed) },
  );
  if (result.counterexample) {
    const [smallest] = result.counterexample;
    const { difference } = await findDifference(engines, smallest, cuts);
    if (difference) {
      process.stdout.write(`expected\n${difference.expected}\n\nactual\n${difference.actual}\n\n`);
      process.stdout.write(`${stringifyCase(difference.evmCase)}\n`);
    }
  }
  const isWrong = result.failed || differing > 0;
  process.stdout.write(
    `seed ${values.seed}: ${result.numRuns} programs, ${runs} runs, ${isWrong ? "NOT equal" : "all equal"}\n`,
  );
  process.exitCode = isWrong ? 1 : 0;
}

function toFirstDifference(expected: string, actual: string): string {
  const [a, b] = [expected.split("\n"), actual.split("\n")];
  const at = a.findIndex((line, index) => line !== b[index]);
  return `${a[at]} and got ${b[at]}`;
}

/** Starts one process per core, with consecutive seeds. */
async function runAll(): Promise<void> {
  const cores = Number(values.cores);
  const share = Math.ceil(Number(values.runs) / cores);
  const children = Array.from({ length: cores }, (_, index) => {
    const passed = process.argv.slice(2);
    const own = ["--child", `--seed=${Number(values.seed) + index}`, `--runs=${share}`];
    return new Promise<number>((resolve) => {
      const child = fork(fileURLToPath(import.meta.url), [...passed, ...own], { execArgv: process.execArgv });
      child.on("exit", (code) => resolve(code ?? 1));
    });
  });
  const codes = await Promise.all(children);
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
}

if (values.child) await runShare();
else await runAll();
