/**
 * npm run bench:rpc:size: runs our node on chains that differ only in length, with 1,000, 100,000 and 1,000,000
 * transactions, to show how the length of a chain affects response times. Writes medians, and the ratio between the
 * longest and the shortest chain, to BENCHMARKS.md. `--sizes 1000,100000` selects other sizes, and `--dry` writes
 * nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "@/server/storage/open";
import { chainId, token } from "@/server/tools/bench/exactTerms";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { fillChain } from "@/server/tools/bench/rpcChain";
import { writeHistory } from "@/server/tools/bench/rpcHistory";
import { connections, type Measured, measureAll } from "@/server/tools/bench/rpcMeasure";
import { startOurNode } from "@/server/tools/bench/rpcSides";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,100000,1000000" },
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "1000" },
    only: { type: "string", default: "" },
    dry: { type: "boolean", default: false },
  },
});
const sizes = values.sizes.split(",").map(Number);
const rounds = Number(values.rounds);
const durationMs = Number(values.ms);

async function startWithHistory(folder: string, transactions: number): Promise<Measured> {
  const dataDir = join(folder, String(transactions));
  // The first start creates the genesis.
  await (await startOurNode({ dataDir })).close();
  const store = await openStore({ kind: "sqlite", file: join(dataDir, "bench.sqlite") }, { readonly: false });
  try {
    await writeHistory(store, { chainId, token, transactions });
  } finally {
    await store.close();
  }
  process.stderr.write(`${transactions} transactions are written\n`);
  const side = await startOurNode({ dataDir });
  return {
    side: { ...side, name: transactions.toLocaleString("en") },
    figures: new Map(),
    chain: await fillChain(side),
  };
}

function toTable(sides: Measured[]): string {
  const head = [
    "Answers per second of CPU time",
    ...sides.map(({ side }) => `${side.name} transactions`),
    "longest to shortest",
  ];
  const [first] = sides;
  const table = [...(first?.figures.keys() ?? [])].map((row) => {
    const medians = sides.map(({ figures }) => median(figures.get(row) ?? []));
    return [row, ...medians.map(toText), (medians.at(-1)! / medians[0]!).toFixed(2)];
  });
  return toMarkdown([head, ...table]);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-size-"));
  const sides: Measured[] = [];
  try {
    for (const size of sizes) sides.push(await startWithHistory(folder, size));
    await measureAll(sides, { rounds, durationMs, per: "processor", isChosen: (name) => name.includes(values.only) });
  } finally {
    for (const { side } of sides) await side.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const table = toTable(sides);
  process.stdout.write(`${table}\n`);
  if (!values.dry && values.only === "") write(table);
}

function write(table: string): void {
  writeSection(
    "JSON-RPC against the length of the chain",
    `\`npm run bench:rpc:size\`, ${describeRun()}. Medians of ${rounds} rounds of
${durationMs} ms with ${connections} connections; the nodes take turns. Values are responses per second of the node's own CPU time, so other work
on the machine matters little. Each chain starts with the number of token transfers in the column's heading, a hundred per
block, between ten thousand accounts. In a row that does not depend on the length, the ratio is 1. eth_chainId reads
nothing from the chain, so it shows the noise.

${table}`,
  );
}

await main();
