/**
 * npm run bench:rpc: compares our node with anvil in one run on one machine, taking turns at every row. Prints medians
 * with ratios and writes them to BENCHMARKS.md. `--rounds 1 --ms 300 --dry` is a quick look, `--only getLogs` selects
 * rows, and `--profile folder` profiles only our side and writes no report.
 */
import { parseArgs } from "node:util";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { fillChain } from "@/server/tools/bench/rpcChain";
import { connections, type Measured, measureAll, note } from "@/server/tools/bench/rpcMeasure";
import { type RpcSide, startAnvil, startOurNode } from "@/server/tools/bench/rpcSides";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "1000" },
    only: { type: "string", default: "" },
    dry: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.ms);
const isChosen = (name: string) => name.includes(values.only);

const startRow = "start to first answer, ms";
const memoryRow = "memory after all of this, MB";

/** The ratio is inverted for figures where smaller is better, so more than one is always better. */
function toTable(sides: Measured[]): string {
  const [ours, other] = sides;
  if (!ours || !other) return "";
  const table = [...ours.figures.keys()].map((row) => {
    const own = median(ours.figures.get(row) ?? []);
    const theirs = median(other.figures.get(row) ?? []);
    const ratio = row === startRow || row === memoryRow ? theirs / own : own / theirs;
    return [row, toText(own), toText(theirs), ratio.toFixed(2)];
  });
  return toMarkdown([["Answers per second", ours.side.name, other.side.name, "ratio"], ...table]);
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
  if (profile === undefined) return [() => startOurNode(), startAnvil];
  return [() => startOurNode(["--cpu-prof", `--cpu-prof-dir=${profile}`])];
}

async function main(): Promise<void> {
  const starters = toStarters();
  const sides: Measured[] = [];
  try {
    for (const start of starters) {
      const side = await start();
      sides.push({ side, figures: new Map(), chain: await fillChain(side) });
      process.stderr.write(`${side.name} is filled\n`);
    }
    await measureAll(sides, { rounds, durationMs, per: "clock", isChosen });
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

function write(table: string): void {
  writeSection(
    "JSON-RPC",
    `\`npm run bench:rpc\`, ${describeRun()}; medians of ${rounds} rounds of ${durationMs} ms in which the sides took turns on
the same machine, with ${connections} kept connections that each have one request under way; the load itself takes part of a
core from both. Our node is a process of its own without pages on SQLite, on disk; the other is \`@foundry-rs/anvil\`, which
keeps everything in memory. Both hold the same transactions. A ratio above one is better for us, in every row.
Each row asks the same again and again, and we answer what never changes from kept text after the first time (blocks,
transactions, receipts, logs, traces, state at a block), and keep the signer of a call that is checked: what the first time
costs is in none of these rows.

${table}`,
  );
}

await main();
