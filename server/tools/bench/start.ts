/**
 * Measures how networks affect the startup time and memory of the bundled server, without pages. Compares 1 network, 3
 * networks and all networks. Each run uses a new folder and sends requests to the default network first, and then to
 * every network.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listPresets } from "@/server/config/presets";
import { getServerCode, spawnNode } from "@/server/testing/serverProcess";
import { describeRun, median, toMarkdown, writeSection } from "@/server/tools/bench/report";
import { readTreeMemory, readTreeProcessorMs } from "@/server/tools/processTree";

const heading = "Networks at startup";
const runs = 5;
const command = join(dirname(await getServerCode()), "command.mjs");
const presets = listPresets().map(({ name }) => name);
const counts = [1, 3, presets.length];

type Figures = { readyMs: number; answerMs: number; cpuMs: number; memory: number; allMs: number; allMemory: number };

async function ask(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber" });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  if (!response.ok) throw new Error(`${url} returned ${response.status}.`);
}

async function measure(names: string[]): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), "tollscan-bench-"));
  const sinceMs = performance.now();
  const args = [command, "--no-pages", "--port", "0", "--json", "--data", data, "--networks", names.join(",")];
  const { child, outcome, ended } = spawnNode(args, {});
  await Promise.race([once(child.stdout, "data"), ended]);
  const readyMs = performance.now() - sinceMs;
  const { networks, pid } = JSON.parse(outcome.stdout) as { networks: { rpcUrl: string }[]; pid: number };
  const cpuMs = readTreeProcessorMs(pid) ?? Number.NaN;
  const memory = readTreeMemory(pid) ?? Number.NaN;
  await ask(networks[0]!.rpcUrl);
  const answerMs = performance.now() - sinceMs;
  const askedMs = performance.now();
  await Promise.all(networks.map(({ rpcUrl }) => ask(rpcUrl)));
  const allMs = performance.now() - askedMs;
  const allMemory = readTreeMemory(pid) ?? Number.NaN;
  child.kill("SIGTERM");
  await ended;
  rmSync(data, { recursive: true, force: true });
  return { readyMs, answerMs, cpuMs, memory, allMs, allMemory };
}

const labels: [keyof Figures, string, number][] = [
  ["readyMs", "until ready, ms", 1],
  ["answerMs", "until the first response, ms", 1],
  ["cpuMs", "CPU until ready, ms", 1],
  ["memory", "memory when ready, MiB", 2 ** 20],
  ["allMs", "first request to every network, ms", 1],
  ["allMemory", "memory with every network open, MiB", 2 ** 20],
];

const columns: Figures[][] = [];
for (const count of counts) {
  const figures: Figures[] = [];
  await measure(presets.slice(0, count));
  for (let run = 0; run < runs; run++) figures.push(await measure(presets.slice(0, count)));
  columns.push(figures);
}
const table = toMarkdown([
  ["Measure", ...counts.map((count) => (count === 1 ? "1 network" : `${count} networks`))],
  ...labels.map(([key, label, unit]) => [
    label,
    ...columns.map((figures) => String(Math.round(median(figures.map((each) => each[key])) / unit))),
  ]),
]);
console.log(table);
if (process.argv.includes("--write")) {
  writeSection(
    heading,
    `${describeRun()}. \`npm run bench:start -- --write\`, medians of ${runs}, in a new data folder.\n\n${table}`,
  );
}
