/**
 * npm run soak:instances: sends 10,000 transactions from 200 senders and 2,000 payments to three instances on one
 * Postgres. Meanwhile, instances are killed and connections are cut, as determined by a fixed seed. Exits with 1 if any
 * check fails; `--database` specifies an empty database, and by default a Postgres server is started.
 */
import { parseArgs } from "node:util";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { runInstances } from "@/server/tools/soak/instancesRun";

const { values } = parseArgs({
  options: {
    database: { type: "string" },
    instances: { type: "string", default: "3" },
    transactions: { type: "string", default: "10000" },
    payments: { type: "string", default: "2000" },
    seed: { type: "string", default: "402" },
  },
});
const databaseUrl = values.database ?? (await createTestDatabase()).url;
const { blocks, kills, cuts, passedOnMs, seconds } = await runInstances({
  databaseUrl,
  instances: Number(values.instances),
  transactions: Number(values.transactions),
  senders: 200,
  payments: Number(values.payments),
  payers: 50,
  seed: Number(values.seed),
  killMs: 4_000,
  cutMs: 1_500,
  leastKills: 1,
  say: (line) => process.stderr.write(`${line}\n`),
});
const passed = passedOnMs.sort((one, other) => one - other);
process.stdout.write(
  `${values.transactions} transactions and ${values.payments} payments in ${blocks} blocks and ${seconds} s, ` +
    `${kills} kills, ${cuts} connections cut.\n` +
    `After the block producer was killed, the next block came within ${passed.at(-1) ?? 0} ms ` +
    `(${passed.length} times, median ${passed[Math.floor(passed.length / 2)] ?? 0} ms).\n` +
    "Chain, ledger, balances and clients agree; re-execution gives the same roots.\n",
);
