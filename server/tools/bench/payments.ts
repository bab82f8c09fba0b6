/**
 * npm run bench:payments: compares our facilitator on our node with the published facilitator on anvil. The two take
 * turns. Prints medians with ratios and writes them to BENCHMARKS.md; for a quick look, use `--rounds 1`.
 */
import { parseArgs } from "node:util";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentPayload } from "@/lib/x402/types";
import { describeRun, median, toMarkdown, toText, writeSection } from "@/server/tools/bench/report";
import { payers, requirement, type Side, startOurs, startReference } from "@/server/tools/bench/sides";
import { readChildrenProcessorMs } from "@/server/tools/processTree";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    dry: { type: "boolean", default: false },
    /** Profiles only our side and writes the profile to this folder. */
    profile: { type: "string" },
  },
});
/** How many settlements run at once, and how many there are per round. */
const levels = [
  { atOnce: 1, count: 60 },
  { atOnce: 10, count: 150 },
  { atOnce: 50, count: 300 },
];
const paidRequests = 40;

type Figures = Map<string, number[]>;

function pickPayer(index: number) {
  const payer = payers[index % payers.length];
  if (!payer) throw new Error("The benchmark has no payer.");
  return payer;
}

async function sign(count: number): Promise<PaymentPayload[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const payer = pickPayer(index);
      const signer = { address: payer.address, signTypedData: (data: never) => payer.signTypedData(data) };
      return signPayment({ signer: signer as never, requirement, nowMs: Date.now() });
    }),
  );
}

/**
 * Makes paid requests. Returns how many milliseconds each one took, from the first request through the 402, signature,
 * verification and settlement to the 200.
 */
async function payRequests({ name }: Side, url: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const client = new x402Client()
      .register("eip155:10143", new ExactEvmScheme(pickPayer(index) as never))
      .setSpendControls(false);
    const startMs = performance.now();
    const response = await wrapFetchWithPayment(fetch, client)(url);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${name} responded with ${response.status} to a paid request.`);
    times.push(performance.now() - startMs);
  }
  return times;
}

async function settleAll(side: Side, payloads: PaymentPayload[], atOnce: number) {
  const transactions: string[] = [];
  let next = 0;
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let payload = payloads[next++]; payload; payload = payloads[next++]) {
        const { success, transaction } = await side.settle(payload);
        if (success && transaction) transactions.push(transaction);
      }
    }),
  );
  return { seconds: (performance.now() - startMs) / 1000, transactions };
}

async function sumGas(side: Side, transactions: string[]): Promise<number> {
  let sum = 0;
  for (const transaction of new Set(transactions)) {
    const receipt = (await side.rpc("eth_getTransactionReceipt", [transaction])) as { gasUsed: string };
    sum += Number(receipt.gasUsed);
  }
  return sum;
}

/** Returns the CPU time of all child processes. Only the processes of the side that is being measured are running. */
const readProcessorMs = () => readChildrenProcessorMs(process.pid) ?? Number.NaN;

async function measure(side: Side, figures: Figures): Promise<void> {
  const note = (row: string, value: number) => figures.set(row, [...(figures.get(row) ?? []), value]);
  note("paid request p50, ms", median(await payRequests(side, side.paidUrl, paidRequests)));
  if (side.worthyUrl) {
    note("paid block digest p50, ms", median(await payRequests(side, side.worthyUrl, paidRequests)));
  }
  for (const { atOnce, count } of levels) {
    // The warm-up is as long as the measurement, because worker threads start only when there is work for them.
    await settleAll(side, await sign(count), atOnce);
    const payloads = await sign(count);
    const beforeMs = readProcessorMs();
    const { seconds, transactions } = await settleAll(side, payloads, atOnce);
    const processorMs = readProcessorMs() - beforeMs;
    note(`settlements/s, ${atOnce} at once`, transactions.length / seconds);
    note(`settled of 100, ${atOnce} at once`, (100 * transactions.length) / count);
    note(`CPU ms per settlement, ${atOnce} at once`, processorMs / transactions.length);
    note(`gas per payment, ${atOnce} at once`, (await sumGas(side, transactions)) / transactions.length);
  }
}

/** Builds a Markdown table. A ratio is our value divided by the other side's. */
function toTable(sides: { name: string; figures: Figures }[]): string {
  const [ours, ...others] = sides;
  const head = ["Measure", ours?.name ?? "", ...others.flatMap(({ name }) => [name, "ratio"])];
  const rows = [...(ours?.figures.keys() ?? [])].map((row) => {
    const own = median(ours?.figures.get(row) ?? []);
    const rest = others.flatMap(({ figures }) => {
      const other = median(figures.get(row) ?? []);
      return Number.isNaN(other) ? ["", ""] : [toText(other), (own / other).toFixed(2)];
    });
    return [row, toText(own), ...rest];
  });
  return toMarkdown([head, ...rows]);
}

function write(table: string, rounds: number): void {
  writeSection(
    "Payments",
    `\`npm run bench:payments\`, ${describeRun()}. Medians of ${rounds} rounds in which the sides take turns.

- **Tollscan** is our server with its facilitator on its own chain.
- **The reference** is the published facilitator and Express middleware (\`@x402/core\`, \`@x402/evm\`, \`@x402/express\`) on
  anvil. Anvil mines each transaction at once and is polled every 10 ms. It runs with and without viem's nonceManager.

Each payment transfers one cent by EIP-3009, and ${payers.length} payers send them over HTTP. A paid request is the published client's
whole exchange: 402, signature, verify, settle, 200. Both sides sell a constant response; the block digest reads ten blocks.
Only successful settlements count. CPU time covers all of a side's processes. A ratio is our figure divided by the
reference's.

${table}`,
  );
}

async function main(): Promise<void> {
  const rounds = values.profile === undefined ? Number(values.rounds) : 1;
  const starts =
    values.profile === undefined
      ? [() => startOurs(), () => startReference({ nonceManager: true }), () => startReference({ nonceManager: false })]
      : [() => startOurs(["--cpu-prof", `--cpu-prof-dir=${values.profile}`])];
  const sides: { name: string; figures: Figures }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [index, start] of starts.entries()) {
      const side = await start();
      try {
        sides[index] ??= { name: side.name, figures: new Map() };
        // Warms up the servers, so that loading and compiling are not measured.
        await payRequests(side, side.paidUrl, 10);
        await settleAll(side, await sign(30), 10);
        await measure(side, sides[index].figures);
      } finally {
        await side.close();
      }
      process.stderr.write(`round ${round + 1} of ${rounds}: ${side.name} measured\n`);
    }
  }
  const table = toTable(sides);
  process.stdout.write(`${table}\n`);
  if (!values.dry && values.profile === undefined) write(table, rounds);
}

await main();
