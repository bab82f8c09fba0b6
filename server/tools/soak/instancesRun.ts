/**
 * Runs several instances on one Postgres under load, killing and restarting them while their connections are cut. At
 * the end every acknowledged transaction must be in the one chain exactly once, no payment settled twice or lost, all
 * instances on one head, and another node that re-executes the chain at the same roots; otherwise the run throws.
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
import { chainId } from "@/server/tools/bench/exactTerms";
import { createRandom } from "@/server/tools/seededRandom";
import { checkInstances, type Expected } from "@/server/tools/soak/instancesCheck";
import {
  type Allocation,
  gasPriceWei,
  networkName,
  payOnce,
  sendOnce,
  toNetworkFile,
} from "@/server/tools/soak/instancesClient";

export type InstancesOptions = {
  /** Must be an empty database. */
  databaseUrl: string;
  instances: number;
  transactions: number;
  senders: number;
  payments: number;
  payers: number;
  seed: number;
  /** Milliseconds between two kills, and between two cuts of all connections. */
  killMs: number;
  cutMs: number;
  /** Senders continue until there were this many kills, however fast the machine is. */
  leastKills: number;
  say: (line: string) => void;
};

export type InstancesReport = {
  blocks: number;
  kills: number;
  cuts: number;
  /** Milliseconds from the SIGKILL of the block producer to the next block. */
  passedOnMs: number[];
  seconds: number;
};

/** Concurrent payments. */
const paymentsAtOnce = 12;
const startingUnits = 10n ** 9n;
const toAccount = (key: number) => privateKeyToAccount(numberToHex(key, { size: 32 }));

/** The chaos also affects our own reads: a failed read means the value is unknown. */
async function findOr<T>(answer: T | Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}

/** Runs the load and the chaos, and checks the outcome. Throws if any check fails. */
export async function runInstances(options: InstancesOptions): Promise<InstancesReport> {
  const { databaseUrl, say } = options;
  const random = createRandom(options.seed);
  const folder = mkdtempSync(join(tmpdir(), "tollscan-instances-"));
  const senders = Array.from({ length: options.senders }, (_, at) => toAccount(0x5e0_0000 + at));
  const payers = Array.from({ length: options.payers }, (_, at) => toAccount(0xba0_0000 + at));
  const payee = toAccount(0x9a1_0000).address.toLowerCase() as Hex;
  const relayerKey = numberToHex(0x4e1_0000, { size: 32 });
  const networks = join(folder, "networks.json");
  const allocations: Allocation[] = [
    ...senders.map(({ address }) => ({ address, wei: 10n ** 20n, units: 0n })),
    ...payers.map(({ address }) => ({ address, wei: 0n, units: startingUnits })),
    { address: privateKeyToAccount(relayerKey).address, wei: 10n ** 24n, units: 0n },
  ];
  writeFileSync(networks, JSON.stringify([toNetworkFile(allocations)]));
  const env = {
    DATABASE_URL: databaseUrl,
    TOLLSCAN_DATA: join(folder, "data"),
    TOLLSCAN_NETWORKS: networks,
    FACILITATOR_PRIVATE_KEY: relayerKey,
    TOLLSCAN_LIMIT_FACILITATOR_REQUESTS: "1000000",
    TOLLSCAN_LIMIT_CALL_WORKERS: "1",
    TOLLSCAN_LIMIT_DATABASE_CONNECTIONS: "6",
  };

  const startMs = Date.now();
  const running: (ServerProcess | undefined)[] = [];
  const pickOrigin = () => {
    const up = running.filter((instance) => instance !== undefined);
    return up[Math.floor(random() * up.length)]?.origin;
  };
  let store: Store | undefined;
  let isOver = false;
  const report: InstancesReport = { blocks: 0, kills: 0, cuts: 0, passedOnMs: [], seconds: 0 };
  const restarts: (Promise<void> | undefined)[] = [];
  const restart = (at: number) => {
    const started = startServer(env).catch(() => startServer(env));
    restarts[at] = started.then((instance) => {
      running[at] = instance;
    });
    // Reported where it is awaited.
    restarts[at].catch(() => undefined);
    return restarts[at];
  };

  try {
    await Promise.all(Array.from({ length: options.instances }, (_, at) => restart(at)));
    store = await openStore(
      { kind: "postgres", url: databaseUrl, schema: `${schemaPrefix}${networkName}`, connections: 3 },
      { readonly: true },
    );
    say(`${options.instances} instances are up after ${Date.now() - startMs} ms`);
    const chaos = Promise.all([kill(store), cut()]);
    // A failure of the load ends the chaos and is the error that is reported.
    chaos.catch(() => undefined);
    const expected: Expected = {
      acknowledged: new Set(),
      settled: new Map(),
      payments: options.payments,
      payers: payers.map(({ address }) => address.toLowerCase() as Hex),
      payee,
      startingUnits,
      sent: new Map(),
    };
    try {
      await Promise.all([sendAll(expected), payAll(expected)]);
    } finally {
      isOver = true;
      await chaos;
    }
    await Promise.all(restarts);
    say(`the load is over after ${Math.round((Date.now() - startMs) / 1000)} s; checking`);
    const origins = running.map((instance) => instance!.origin);
    report.blocks = await checkInstances({ store, origins, networks, folder, expected, relayerKey });
    report.seconds = Math.round((Date.now() - startMs) / 1000);
    return report;
  } finally {
    isOver = true;
    await store?.close();
    await Promise.all(running.map((instance) => instance?.stop("SIGKILL")));
    rmSync(folder, { recursive: true, force: true });
  }

  /** Kills one instance after another, the block producer if there is one, and restarts it. */
  async function kill(database: Store): Promise<void> {
    while (!isOver) {
      await pause(options.killMs);
      const at = Math.floor(random() * running.length);
      const dying = running[at];
      // At least one must keep running for the clients.
      if (isOver || !dying || running.filter(Boolean).length < 2) continue;
      const [lease, head] = [await findOr(database.findLease("builder")), await findOr(database.findHead())];
      const isBuilding = lease?.holder.split("/").includes(String(dying.child.pid)) && lease.remainingMs > 0;
      running[at] = undefined;
      const killedMs = Date.now();
      await dying.stop("SIGKILL");
      report.kills++;
      void restart(at);
      if (isBuilding && head) {
        while (!isOver && (await findOr(database.findHead()))?.number === head.number) await pause(20);
        if (!isOver) report.passedOnMs.push(Date.now() - killedMs);
      }
    }
  }

  async function cut(): Promise<void> {
    while (!isOver) {
      await pause(options.cutMs);
      if (!isOver) report.cuts += (await findOr(cutConnections(databaseUrl))) ?? 0;
    }
  }

  async function sendAll({ acknowledged, sent }: Expected): Promise<void> {
    let done = 0;
    const perSender = Math.ceil(options.transactions / senders.length);
    await Promise.all(
      senders.map(async (sender: PrivateKeyAccount, at) => {
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
          acknowledged.add(await sendOnce(pickOrigin, raw));
          sent.set(sender.address.toLowerCase() as Hex, nonce + 1);
          if (++done % 1_000 === 0) say(`${done} transactions, ${report.kills} kills, ${report.cuts} connections cut`);
        }
      }),
    );
  }

  async function payAll({ settled }: Expected): Promise<void> {
    let begun = 0;
    await Promise.all(
      Array.from({ length: paymentsAtOnce }, async () => {
        while (begun < options.payments) {
          const number = begun++;
          const payer = payers[number % payers.length]!;
          const units = BigInt(1 + Math.floor(random() * 1_000));
          const { payment, transaction } = await payOnce(pickOrigin, payer, payee, units);
          if (settled.has(payment)) throw new Error(`Payment ${payment} was made twice.`);
          settled.set(payment, { payer: payer.address.toLowerCase() as Hex, units, transaction });
          if (settled.size % 200 === 0) say(`${settled.size} payments`);
        }
      }),
    );
  }
}
