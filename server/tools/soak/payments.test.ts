/** Runs a short version of `npm run soak:payments`: 300 payments instead of 20,000. */
import { expect, it } from "vitest";
import { runSoak } from "@/server/tools/soak/paymentsRun";

it("keeps ledger, token and clients consistent through kills, retries and a misbehaving node", async () => {
  const report = await runSoak({
    payments: 300,
    payers: 40,
    seed: 402,
    killEvery: 100,
    atOnce: 20,
    say: () => undefined,
  });
  expect(report.kills).toBeGreaterThanOrEqual(3);
  expect(report.settled).toBeGreaterThan(200);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.faults.lost).toBeGreaterThan(0);
}, 300_000);
