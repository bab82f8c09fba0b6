/**
 * Runs the `tollscan` command as a child process, which can also serve the pages. The child always ends with this
 * process, because the channel between them closes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ConfigError } from "@/server/config/environment.mjs";
import type { Start } from "@/server/node/startBanner";

const command = fileURLToPath(new URL("../../bin/tollscan.mjs", import.meta.url));
/** The environment variables that a process needs to find its temporary folder. */
const system = ["TMPDIR", "TEMP", "TMP", "SystemRoot"];
/** The command's exit code if a setting is wrong. */
const refused = 2;

/** Starts the command. Rejects with ConfigError, or with an error that has the command's message. */
export async function openInChild(settings: Record<string, string>): Promise<{ start: Start; stop(): Promise<void> }> {
  const env = Object.fromEntries(system.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const child = spawn(process.execPath, [command, "--json"], {
    env: { ...env, ...settings },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  } as object) as ChildProcess & { stdout: Socket; stderr: Socket };
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const line = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (!Array.isArray(line)) throw line === refused ? new ConfigError(said.trim()) : new Error(said.trim());
  const { pid: _, dataFolder: __, ...start } = JSON.parse(String(line[0]));
  child.stderr.removeAllListeners("data").pipe(process.stderr);
  for (const handle of [child, child.channel, child.stdout, child.stderr]) handle?.unref();
  return {
    start,
    async stop() {
      child.ref();
      child.kill("SIGTERM");
      await ended;
    },
  };
}
