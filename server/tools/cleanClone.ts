/**
 * Runs through a new user's first minute: clones this commit, runs `npm start` with an empty npm cache, measures the
 * idle memory, pays for a resource with the published x402 client, and stops. Cleans up after itself.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@/server/bin/prepare.mjs";
import { payOnBaseSepolia, toSeconds, toTerminalEnv } from "@/server/tools/newUser";
import { readTreeMemory } from "@/server/tools/processTree";

const folder = mkdtempSync(join(tmpdir(), "tollscan-clone-"));
const clone = join(folder, "tollscan");
/**
 * Limits the memory of npm, its shell and the server together. A first start uses some 10 MiB more than later ones,
 * because it compiles all code.
 */
const maxIdleBytes = 160 * 2 ** 20;

function assertIdleMemory(pid: number): void {
  const bytes = readTreeMemory(pid);
  if (bytes === undefined) return;
  console.log(`All processes together use ${Math.round(bytes / 2 ** 20)} MiB before the first page.`);
  if (bytes > maxIdleBytes) throw new Error(`The limit is ${maxIdleBytes / 2 ** 20} MiB.`);
}

async function startAndPay(): Promise<void> {
  const startMs = performance.now();
  execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone]);
  // Runs in a separate process group, so that a signal reaches all processes, as Ctrl-C would.
  const npm = spawn("npm", ["start"], {
    cwd: clone,
    // Once a week, npm checks for its own updates, and its process keeps the 30 MiB that this takes.
    env: { ...toTerminalEnv(folder), npm_config_update_notifier: "false", PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "close");
  const stop = () => npm.pid !== undefined && npm.exitCode === null && process.kill(-npm.pid, "SIGTERM");
  process.once("exit", stop);
  let output = "";
  const origin = await new Promise<string>((resolve, reject) => {
    npm.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /JSON-RPC\s+(http:\/\/localhost:\d+)\//.exec(output)?.[1];
      if (found) resolve(found);
    });
    npm.on("error", reject);
    void ended.then(([code]) => reject(new Error(`npm start exited with code ${code}:\n${output}`)));
  });
  console.log(`Ready after ${toSeconds(startMs)}.`);
  if (npm.pid !== undefined) assertIdleMemory(npm.pid);
  const page = await fetch(`${origin}/testnet`);
  if (page.status !== 200) throw new Error(`The home page has status ${page.status}.`);
  console.log(`Paid in transaction ${await payOnBaseSepolia(origin)}.`);
  stop();
  await ended;
  process.off("exit", stop);
  await fetch(`${origin}/api/health`).then(
    () => Promise.reject(new Error("The server still responded after it was stopped.")),
    () => undefined,
  );
}

try {
  await startAndPay();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
