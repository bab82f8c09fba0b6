/**
 * npm run bench:rpc: compares our node with anvil, and trivial reads with a bare HTTP server. For each row of
 * the report, the servers take turns, in one run on one machine. Prints medians with ratios and writes them to BENCHMARKS.md. `--per processor`
 * measures CPU time instead of elapsed time, `--rounds 1 --ms 300 --dry` is a quick look, `--only getLogs` selects
 * rows, `--mode single` measures one operation at a time, and `--profile folder` profiles only our side and writes no report.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { fillChain } from "@/server/tools/bench/rpcChain";
import { connections, type Measured, measureAll, note } from "@/server/tools/bench/rpcMeasure";
import { measureOneAtATime } from "@/server/tools/bench/rpcOneAtATime";
import { type RpcSide, startAnvil, startBareServer, startOurNode } from "@/server/tools/bench/rpcSides";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "1000" },
    only: { type: "string", default: "" },
    mode: { type: "string", default: "repeated" },
    per: { type: "string", default: "clock" },
    dry: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.ms);
const per = values.per === "processor" ? "processor" : "clock";
const isChosen = (name: string) => name.includes(values.only);

const startRow = "start to first response, ms";
const memoryRow = "memory after all of this, MB";

const isSmallerBetter = (row: string) => row === startRow || row === memoryRow;

/** One line per row; a ratio above 1 is better for us. The bare server has figures for few rows. */
function toTable([ours, ...others]: Measured[]): string {
  if (!ours) return "";
  const lines = [...ours.figures].map(([row, figures]) => {
    const own = median(figures);
    const beside = others.flatMap((other) => {
      const theirs = other.figures.get(row);
      if (!theirs) return ["", ""];
      const ratio = isSmallerBetter(row) ? median(theirs) / own : own / median(theirs);
      return [toText(median(theirs)), ratio.toFixed(2)];
    });
    return [row, toText(own), ...beside];
  });
  const unit = per === "clock" ? "Responses per second" : "Responses per second of CPU time";
  return toMarkdown([[unit, ours.side.name, ...others.flatMap(({ side }) => [side.name, "ratio"])], ...lines]);
}

async function measureStarts(starters: (() => Promise<RpcSide>)[], sides: Measured[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [index, start] of starters.entries()) {
      const side = await start();
      note(sides[index]!, startRow, side.startMs);
      await side.close();
    }
  }
}

function toStarters(): (() => Promise<RpcSide>)[] {
  const { profile } = values;
  if (profile === undefined) return [() => startOurNode(), startAnvil, startBareServer];
  return [() => startOurNode(["--cpu-prof", `--cpu-prof-dir=${profile}`])];
}

async function main(): Promise<void> {
  const starters = toStarters();
  const sides: Measured[] = [];
  try {
    for (const start of starters) {
      const side = await start();
      const chain = side.isBare ? sides[0]!.chain : await fillChain(side);
      sides.push({ side, figures: new Map(), chain });
      process.stderr.write(`${side.name} is ready\n`);
    }
    await measureAll(sides, { rounds, durationMs, per, isChosen });
    for (const each of sides) note(each, memoryRow, each.side.memoryMb());
  } finally {
    for (const { side } of sides) await side.close();
  }
  if (values.profile !== undefined) return;
  await measureStarts(starters, sides);
  const table = toTable(sides);
  process.stdout.write(`${table}\n`);
  if (!values.dry && values.only === "") write(table);
}

async function runOneAtATime(): Promise<void> {
  const sides: RpcSide[] = [];
  try {
    for (const start of toStarters()) {
      const side = await start();
      if (side.isBare) await side.close();
      else sides.push(side);
    }
    const table = await measureOneAtATime(sides, { rounds, isChosen });
    process.stdout.write(`${table}\n`);
    if (!values.dry && values.only === "" && values.profile === undefined) writeOneAtATime(table);
  } finally {
    for (const side of sides) await side.close();
  }
}

function writeOneAtATime(table: string): void {
  writeSection(
    "JSON-RPC, one operation at a time",
    `\`npm run bench:rpc -- --mode single\`, ${describeRun()}, at a load of ${toText(loadavg()[0]!)}. One connection, as a test
suite uses it; the sides take turns. Medians of ${rounds} rounds of 25 operations.

${table}`,
  );
}

function write(table: string): void {
  writeSection(
    "JSON-RPC",
    `\`npm run bench:rpc\`, ${describeRun()}. Medians of ${rounds} rounds of ${durationMs} ms in which the sides take turns,
with ${connections} connections that each have one request in flight. The load generator uses part of a core. Our node is a
separate process without pages, with SQLite on disk; \`@foundry-rs/anvil\` keeps everything in memory. Both hold the same
transactions. The bare server is node:http with a constant response. In every row, a ratio above 1 is better for us.

Each row repeats one request. We cache the text of responses that cannot change (blocks, transactions, receipts, logs,
traces, state at a block) and the signer of a call, so these rows do not show what a first request costs.

${table}`,
  );
}

await (values.mode === "single" ? runOneAtATime() : main());
