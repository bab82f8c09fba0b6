/**
 * npm run bench:rpc: our node beside anvil in one run on one machine, the sides taking turns at every row. Prints
 * medians with ratios and writes them into BENCHMARKS.md. `--rounds 1 --ms 300 --dry` is a quick look, `--only getLogs`
 * some rows, `--profile folder` our side alone with Node's profiler.
 */
import { parseArgs } from "node:util";
import type { Hex } from "viem";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/bench/report";
import { type BenchChain, fillChain, pause, senders, signCall, signPaymentData } from "@/server/bench/rpcChain";
import { runAll, runLoad } from "@/server/bench/rpcLoad";
import { type Row, rows, toBody } from "@/server/bench/rpcRows";
import { type RpcSide, startAnvil, startOurNode } from "@/server/bench/rpcSides";
import { payee, payers, token } from "@/server/bench/sides";

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
const connections = 64;
/** Transactions sent in one round of a row that mines them. */
const minedPerRound = 1_000;

type Side = { side: RpcSide; chain: BenchChain; figures: Map<string, number[]> };

const isChosen = (name: string) => name.includes(values.only);

function note({ figures }: Side, row: string, figure: number): void {
  figures.set(row, [...(figures.get(row) ?? []), figure]);
}

/** Answers per second, or millions of gas. */
async function measureRow({ side, chain }: Side, row: Row): Promise<number> {
  const gas = row.gasOf ? Number(await side.rpc("eth_estimateGas", row.gasOf(chain))) : 1;
  const bodies = [toBody(row.method, row.params(chain))];
  const { answers, seconds } = await runLoad(side, bodies, { connections: row.connections ?? connections, durationMs });
  return (answers * gas) / seconds / (row.gasOf ? 1e6 : 1);
}

type Kind = "native" | "EIP-3009";

/** The next transactions of every sender, the same for both sides. */
async function signRound(kind: Kind, round: number, firstNonce: number): Promise<Hex[]> {
  const each = Math.ceil(minedPerRound / senders.length);
  const raws: Hex[] = [];
  for (let index = 0; index < each; index++) {
    for (const [which, account] of senders.entries()) {
      const nonce = firstNonce + index;
      if (kind === "native") raws.push(await signCall(account, { to: payee, value: 1n, nonce, gas: 21_000n }));
      else {
        const data = await signPaymentData(payers[which]!, 1_000_000 + (round * each + index) * 100 + which);
        raws.push(await signCall(account, { to: token, data, nonce, gas: 200_000n }));
      }
    }
  }
  return raws;
}

/** Transactions mined per second, from the first that is sent until the state has all of them. */
async function measureMined({ side }: Side, raws: readonly Hex[], nonceAfter: number): Promise<number> {
  const startMs = performance.now();
  const sent = runAll(
    side,
    raws.map((raw) => toBody("eth_sendRawTransaction", [raw])),
    connections,
  );
  await sent;
  for (const { address } of senders) {
    while (Number(await side.rpc("eth_getTransactionCount", [address, "latest"])) < nonceAfter) await pause(2);
  }
  return (1_000 * raws.length) / (performance.now() - startMs);
}

async function measureAll(sides: Side[]): Promise<void> {
  for (const row of rows.filter(({ name }) => isChosen(name))) {
    // What is loaded and compiled on first use is not what is measured.
    for (const each of sides) await measureRow(each, row);
    for (let round = 0; round < rounds; round++) {
      for (const each of sides) note(each, row.name, await measureRow(each, row));
    }
    const summary = sides.map(({ side, figures }) => `${side.name} ${toText(median(figures.get(row.name) ?? []))}`);
    process.stderr.write(`${row.name}: ${summary.join(", ")}\n`);
  }
  let nonce = 0;
  for (const kind of ["native", "EIP-3009"] as const) {
    const name = `eth_sendRawTransaction until mined, ${kind} transfers`;
    if (!isChosen(name)) continue;
    for (let round = 0; round < rounds + 1; round++) {
      const raws = await signRound(kind, round, nonce);
      nonce += raws.length / senders.length;
      for (const each of sides) {
        const figure = await measureMined(each, raws, nonce);
        // The first round is what is loaded and compiled on first use.
        if (round > 0) note(each, name, figure);
      }
    }
  }
}

const startRow = "start to first answer, ms";
const memoryRow = "memory after all of this, MB";

/** A figure that is better when smaller has its ratio turned round, so that more than one is always better. */
function toTable(sides: Side[]): string {
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

async function measureStarts(starters: (() => Promise<RpcSide>)[], sides: Side[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [index, start] of starters.entries()) {
      const side = await start();
      note(sides[index]!, startRow, side.startMs);
      await side.close();
    }
  }
}

async function main(): Promise<void> {
  const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
  const starters = values.profile === undefined ? [startOurNode, startAnvil] : [() => startOurNode(flags)];
  const sides: Side[] = [];
  try {
    for (const start of starters) {
      const side = await start();
      sides.push({ side, figures: new Map(), chain: await fillChain(side) });
      process.stderr.write(`${side.name} is filled\n`);
    }
    await measureAll(sides);
    for (const each of sides) note(each, memoryRow, each.side.memoryMb());
  } finally {
    for (const { side } of sides) await side.close();
  }
  if (values.profile !== undefined) return;
  await measureStarts(starters as (() => Promise<RpcSide>)[], sides);
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

${table}`,
  );
}

await main();
