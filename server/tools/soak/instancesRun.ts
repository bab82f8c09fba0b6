/**
 * Runs several instances on one Postgres under load, while instances are killed and connections are cut. At the end,
 * every acknowledged transaction must be in the chain exactly once, no payment may be settled twice or lost, and all
 * instances must agree. Otherwise, the run throws.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Hex, numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { pause } from "@/lib/pause";
import { schemaPrefix } from "@/server/config/storeLocation";
import type { Store } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { cutConnections } from "@/server/storage/postgres/testing/cluster";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";
import { type Allocation, chainId, toNetworksFile } from "@/server/tools/bench/exactTerms";
import { createRandom } from "@/server/tools/seededRandom";
import { checkInstances, type Expected } from "@/server/tools/soak/instancesCheck";
import { gasPriceWei, payOnce, sendOnce } from "@/server/tools/soak/instancesClient";
import { networkName, toAccount } from "@/server/tools/soak/soakNetwork";

export type InstancesOptions = {
  /** The URL of the database, which must be empty. */
  databaseUrl: string;
  instances: number;
  transactions: number;
  senders: number;
  payments: number;
  payers: number;
  seed: number;
  /** The intervals in milliseconds between kills, and between cuts of all connections. */
  killMs: number;
  cutMs: number;
  /** Senders continue at least until there have been this many kills. */
  leastKills: number;
  say: (line: string) => void;
};

export type InstancesReport = {
  blocks: number;
  kills: number;
  cuts: number;
  /** For each kill of the block producer, the milliseconds until the next block. */
  passedOnMs: number[];
  seconds: number;
};

/** Concurrent payments. */
const paymentsAtOnce = 12;
const startingUnits = 10n ** 9n;

/** The state of one run: its accounts, its instances, and its results so far. */
type Run = {
  options: InstancesOptions;
  random: () => number;
  env: Record<string, string>;
  senders: PrivateKeyAccount[];
  payers: PrivateKeyAccount[];
  /** The instances by index. An entry is undefined while that instance is down. */
  running: (ServerProcess | undefined)[];
  /** For each instance, the promise of its latest start. */
  restarts: Promise<void>[];
  expected: Expected;
  report: InstancesReport;
  isOver: boolean;
};

/** Runs the load and the chaos, and checks the outcome. Throws if any check fails. */
export async function runInstances(options: InstancesOptions): Promise<InstancesReport> {
  const { databaseUrl, say } = options;
  const folder = mkdtempSync(join(tmpdir(), "tollscan-instances-"));
  const relayerKey = numberToHex(0x4e1_0000, { size: 32 });
  const networks = join(folder, "networks.json");
  const run = createRun(options, {
    DATABASE_URL: databaseUrl,
    TOLLSCAN_DATA: join(folder, "data"),
    TOLLSCAN_NETWORKS: networks,
    FACILITATOR_PRIVATE_KEY: relayerKey,
    TOLLSCAN_LIMIT_FACILITATOR_REQUESTS: "1000000",
    TOLLSCAN_LIMIT_CALL_WORKERS: "1",
    TOLLSCAN_LIMIT_DATABASE_CONNECTIONS: "6",
  });
  const { senders, payers, running, report, expected } = run;
  const allocations: Allocation[] = [
    ...senders.map(({ address }) => ({ address, wei: 10n ** 20n, units: 0n })),
    ...payers.map(({ address }) => ({ address, wei: 0n, units: startingUnits })),
    { address: privateKeyToAccount(relayerKey).address, wei: 10n ** 24n, units: 0n },
  ];
  writeFileSync(networks, toNetworksFile(networkName, allocations));
  const startMs = Date.now();
  let store: Store | undefined;
  try {
    await Promise.all(Array.from({ length: options.instances }, (_, at) => restart(run, at)));
    store = await openStore(
      { kind: "postgres", url: databaseUrl, schema: `${schemaPrefix}${networkName}`, connections: 3 },
      { readonly: true },
    );
    say(`${options.instances} instances started in ${Date.now() - startMs} ms`);
    await runLoad(run, store);
    await Promise.all(run.restarts);
    say(`load finished after ${Math.round((Date.now() - startMs) / 1000)} s; checking`);
    const origins = running.map((instance) => instance!.origin);
    report.blocks = await checkInstances({ store, origins, networks, folder, expected, relayerKey });
    report.seconds = Math.round((Date.now() - startMs) / 1000);
    return report;
  } finally {
    run.isOver = true;
    await store?.close();
    await Promise.all(running.map((instance) => instance?.stop("SIGKILL")));
    rmSync(folder, { recursive: true, force: true });
  }
}

function createRun(options: InstancesOptions, env: Record<string, string>): Run {
  const payers = Array.from({ length: options.payers }, (_, at) => toAccount(0xba0_0000 + at));
  return {
    options,
    random: createRandom(options.seed),
    env,
    senders: Array.from({ length: options.senders }, (_, at) => toAccount(0x5e0_0000 + at)),
    payers,
    running: [],
    restarts: [],
    expected: {
      acknowledged: new Set(),
      settled: new Map(),
      payments: options.payments,
      payers: payers.map(({ address }) => address.toLowerCase() as Hex),
      payee: toAccount(0x9a1_0000).address.toLowerCase() as Hex,
      startingUnits,
      sent: new Map(),
    },
    report: { blocks: 0, kills: 0, cuts: 0, passedOnMs: [], seconds: 0 },
    isOver: false,
  };
}

async function runLoad(run: Run, store: Store): Promise<void> {
  const chaos = Promise.all([kill(run, store), cut(run)]);
  // Avoids an unhandled rejection while the load runs. The `await` below reports the error.
  chaos.catch(() => undefined);
  try {
    await Promise.all([sendAll(run), payAll(run)]);
  } finally {
    run.isOver = true;
    await chaos;
  }
}

function restart({ env, running, restarts }: Run, at: number): Promise<void> {
  const started = startServer(env)
    .catch(() => startServer(env))
    .then((instance) => {
      running[at] = instance;
    });
  // Avoids an unhandled rejection. Awaiting `restarts` at the end of the load reports the error.
  started.catch(() => undefined);
  restarts[at] = started;
  return started;
}

function pickOrigin({ running, random }: Run): string | undefined {
  const up = running.filter((instance) => instance !== undefined);
  return up[Math.floor(random() * up.length)]?.origin;
}

/** Returns undefined if a read fails, because kills and cuts also affect this program's own reads. */
async function findOr<T>(answer: T | Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}

/**
 * At each interval, kills a random instance and restarts it. If it was the block producer, measures how long the next
 * block takes.
 */
async function kill(run: Run, store: Store): Promise<void> {
  const { options, random, running, report } = run;
  while (!run.isOver) {
    await pause(options.killMs);
    const at = Math.floor(random() * running.length);
    const dying = running[at];
    // At least one instance must keep running to serve the clients.
    if (run.isOver || !dying || running.filter(Boolean).length < 2) continue;
    const [lease, head] = [await findOr(store.findLease("builder")), await findOr(store.findHead())];
    const isBuilding = lease?.holder.split("/").includes(String(dying.child.pid)) && lease.remainingMs > 0;
    running[at] = undefined;
    const killedMs = Date.now();
    await dying.stop("SIGKILL");
    report.kills++;
    void restart(run, at);
    if (isBuilding && head) {
      while (!run.isOver && (await findOr(store.findHead()))?.number === head.number) await pause(20);
      if (!run.isOver) report.passedOnMs.push(Date.now() - killedMs);
    }
  }
}

async function cut(run: Run): Promise<void> {
  const { cutMs, databaseUrl } = run.options;
  while (!run.isOver) {
    await pause(cutMs);
    if (!run.isOver) run.report.cuts += (await findOr(cutConnections(databaseUrl))) ?? 0;
  }
}

async function sendAll(run: Run): Promise<void> {
  const { options, senders, report } = run;
  const { acknowledged, sent } = run.expected;
  let done = 0;
  const perSender = Math.ceil(options.transactions / senders.length);
  await Promise.all(
    senders.map(async (sender, at) => {
      for (let nonce = 0; nonce < perSender || report.kills < options.leastKills; nonce++) {
        const raw = await sender.signTransaction({
          chainId,
          nonce,
          to: senders[(at + nonce + 1) % senders.length]!.address,
          value: 1n,
          gas: 21_000n,
          type: "eip1559",
          maxFeePerGas: gasPriceWei,
          maxPriorityFeePerGas: 10n ** 9n,
        });
        acknowledged.add(await sendOnce(() => pickOrigin(run), raw));
        sent.set(sender.address.toLowerCase() as Hex, nonce + 1);
        if (++done % 1_000 !== 0) continue;
        options.say(`${done} transactions, ${report.kills} kills, ${report.cuts} connections cut`);
      }
    }),
  );
}

async function payAll(run: Run): Promise<void> {
  const { options, payers, random } = run;
  const { settled, payee } = run.expected;
  let begun = 0;
  await Promise.all(
    Array.from({ length: paymentsAtOnce }, async () => {
      while (begun < options.payments) {
        const payer = payers[begun++ % payers.length]!;
        const units = BigInt(1 + Math.floor(random() * 1_000));
        const { payment, transaction } = await payOnce(() => pickOrigin(run), payer, payee, units);
        if (settled.has(payment)) throw new Error(`Payment ${payment} was made twice.`);
        settled.set(payment, { payer: payer.address.toLowerCase() as Hex, units, transaction });
        if (settled.size % 200 === 0) options.say(`${settled.size} payments`);
      }
    }),
  );
}
