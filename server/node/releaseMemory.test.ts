import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { typescript } from "@/server/bin/prepare.mjs";

/** Makes more than 100 MB of garbage, and ends once 80 MB of resident memory have been returned. */
const program = `
  const { releaseMemoryWhenIdle } = await import("@/server/node/releaseMemory");
  let objects = Array.from({ length: 1_000_000 }, (_, index) => ({ text: "x" + index, list: [index] }));
  const toMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
  const before = toMb();
  objects = undefined;
  releaseMemoryWhenIdle(200);
  const waiting = setInterval(() => {
    if (toMb() > before - 80) return;
    clearInterval(waiting);
    console.log("released");
  }, 50);`;

it("returns memory to the system once the process is idle", { timeout: 60_000 }, () => {
  const args = [...typescript, "--input-type=module", "--eval", program];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 });
  expect(ran).toMatchObject({ status: 0, stdout: "released\n", stderr: "" });
});
