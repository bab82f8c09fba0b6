/**
 * npm run soak:payments: sends 20,000 payments from 500 payers, while a fixed seed determines when the facilitator is
 * killed and which requests to its node hit a fault. Exits with 1 if the ledger, the token and the clients disagree.
 * `--payments` and `--seed` change the run.
 */
import { parseArgs } from "node:util";
import { runSoak } from "@/server/tools/soak/paymentsRun";

const { values } = parseArgs({
  options: {
    payments: { type: "string", default: "20000" },
    payers: { type: "string", default: "500" },
    seed: { type: "string", default: "402" },
  },
});
const startMs = Date.now();
const { settled, refused, kills, faults } = await runSoak({
  payments: Number(values.payments),
  payers: Number(values.payers),
  seed: Number(values.seed),
  killEvery: 400,
  atOnce: 50,
  say: (line) => process.stderr.write(`${line}\n`),
});
const seconds = Math.round((Date.now() - startMs) / 1000);
process.stdout.write(
  `${settled} payments settled and ${refused} rejected in ${seconds} s, ${kills} kills, faults ${JSON.stringify(faults)}.\n` +
    "Ledger, token balances, events and clients agree to the unit.\n",
);
