/**
 * Runs a short version of `npm run soak:instances`, which tests that kills never lose or duplicate a transaction or
 * payment.
 */
import { expect, it } from "vitest";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { runInstances } from "@/server/tools/soak/instancesRun";

it("keeps one chain and one ledger while instances are killed and connections are cut", async () => {
  const { url, remove } = await createTestDatabase();
  try {
    const report = await runInstances({
      databaseUrl: url,
      instances: 3,
      transactions: 200,
      senders: 20,
      payments: 24,
      payers: 8,
      seed: 402,
      killMs: 1_500,
      cutMs: 700,
      leastKills: 2,
      say: () => undefined,
    });
    expect(report.kills).toBeGreaterThanOrEqual(2);
    expect(report.cuts).toBeGreaterThan(0);
    expect(report.blocks).toBeGreaterThan(3);
  } finally {
    await remove();
  }
}, 600_000);
