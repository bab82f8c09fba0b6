/**
 * npm run bench:rpc: compares our node with anvil and, for trivial reads, with a bare HTTP server. The servers take
 * turns on each row. Prints figures with ratios and writes them to BENCHMARKS.md.
 *
 * - `--mode`: `repeated` sends one request per row over and over, `distinct` never repeats a request, `arriving` also
 *   adds blocks during the measurement, and `single` measures one operation at a time
 * - `--per processor`: measures CPU time
 * - `--rounds 1 --ms 300 --dry`: takes a quick look
 * - `--only getLogs`: selects rows
 * - `--profile folder`: profiles only our side
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Hex } from "viem";
import { pause } from "@/lib/pause";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { fillChain } from "@/server/tools/bench/rpcChain";
import { countArrivals, type DistinctSide, measureDistinct, toDistinctTable } from "@/server/tools/bench/rpcDistinct";
import { holders, mineBlocks, signArrivals, signBlocks } from "@/server/tools/bench/rpcDistinctChain";
import { connections, type Measured, measureAll, note } from "@/server/tools/bench/rpcMeasure";
import { measureOneAtATime } from "@/server/tools/bench/rpcOneAtATime";
import { type RpcSide, startAnvil, startBareServer, startOurNode } from "@/server/tools/bench/rpcSides";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "1000" },
    only: { type: "string", default: "" },
    mode: { type: "string", default: "repeated" },
    blocks: { type: "string", default: "600" },
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

/** Long enough for our node to end its idle worker threads and to release unused memory. */
const idleMs = 30_000;

const isSmallerBetter = (row: string) => row === startRow || row === memoryRow;

/**
 * Builds a table with one line per row. A ratio above 1 means that our node is better. The bare server has figures for
 * only a few rows.
 */
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

function toStarters(funded: readonly Hex[] = []): (() => Promise<RpcSide>)[] {
  const { profile } = values;
  if (profile === undefined) {
    return [() => startOurNode({ holders: funded }), () => startAnvil(funded), startBareServer];
  }
  return [() => startOurNode({ holders: funded, flags: ["--cpu-prof", `--cpu-prof-dir=${profile}`] })];
}

async function runDistinct(): Promise<void> {
  const areBlocksArriving = values.mode === "arriving";
  const effort = { rounds, durationMs, areBlocksArriving, isChosen: ({ name }: { name: string }) => isChosen(name) };
  const signed = await signBlocks(Number(values.blocks));
  const arrivals = areBlocksArriving ? await signArrivals(countArrivals(effort)) : [];
  const sides: DistinctSide[] = [];
  try {
    for (const start of toStarters(holders)) {
      const side = await start();
      const chain = side.isBare ? undefined : await mineBlocks(side, signed);
      sides.push({ side, chain, totals: new Map(), arrivals: side.isBare ? [] : [...arrivals] });
      process.stderr.write(`${side.name} is ready\n`);
    }
    await measureDistinct(sides, effort);
    if (values.profile !== undefined) return;
    const listMemory = () => sides.map(({ side }) => `${side.name} ${toText(side.memoryMb())} MB`).join(", ");
    const memory = listMemory();
    await pause(idleMs);
    const table = `${toDistinctTable(sides)}\n\nMemory after all of this: ${memory}.\nAfter ${idleMs / 1_000} idle seconds: ${listMemory()}.`;
    process.stdout.write(`${table}\n`);
    if (!values.dry && values.only === "") writeDistinct(table, areBlocksArriving);
  } finally {
    for (const { side } of sides) await side.close();
  }
}

function writeDistinct(table: string, areBlocksArriving: boolean): void {
  const shared = `${describeRun()}, at a load of ${toText(loadavg()[0]!)}. Sums of ${rounds} rounds of at most ${durationMs} ms in which
the sides take turns, with ${connections} connections. CPU µs is the server process's CPU time per response: of all figures, other
work on the machine distorts it least. A ratio above 1 is better for us. The chain has ${values.blocks} blocks of 100 transactions between ${toText(holders.length)} accounts.`;
  if (areBlocksArriving) {
    writeSection(
      "JSON-RPC while blocks arrive",
      `\`npm run bench:rpc -- --mode arriving\`, ${shared} Every 200 ms, 20 more
transactions are sent, so the figures include the cost of mining them.

${table}`,
    );
    return;
  }
  writeSection(
    "JSON-RPC without repeated requests",
    `\`npm run bench:rpc -- --mode distinct\`, ${shared} Every request has
its own address, block, hash, calldata or slot.

${table}`,
  );
}

async function runRepeated(): Promise<void> {
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
    `\`npm run bench:rpc -- --mode single\`, ${describeRun()}, at a load of ${toText(loadavg()[0]!)}. One connection is used, as
in a test suite; the sides take turns. Medians of ${rounds} rounds of 25 operations.

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
traces), the newest accounts and slots, and the signer of a call, so these rows do not show what a first request costs.

${table}`,
  );
}

const runs: Record<string, () => Promise<void>> = {
  repeated: runRepeated,
  single: runOneAtATime,
  distinct: runDistinct,
  arriving: runDistinct,
};
const runMode = runs[values.mode];
if (!runMode) throw new Error(`Unknown mode ${values.mode}; use ${Object.keys(runs).join(", ")}.`);
await runMode();
