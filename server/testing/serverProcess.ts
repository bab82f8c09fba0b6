/**
 * Runs the real server as a child process for tests, on a free port and with its own data folder. If it is still
 * running when the test process ends, it is killed.
 */
import { type ChildProcess, type ChildProcessByStdio, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { bundleServer } from "@/server/bin/bundle.mjs";
import { root } from "@/server/bin/prepare.mjs";

const codeFolder = join(root, "node_modules/.cache/test-server");
let code: Promise<string> | undefined;

export type Outcome = { code: number | null; stdout: string; stderr: string };

export type ServerProcess = {
  origin: string;
  /** The text that the server prints at startup. */
  banner: string;
  child: ChildProcess;
  /** Sends the signal and waits for the process to end. */
  stop(signal: NodeJS.Signals): Promise<Outcome>;
};

/** Passes only the variables that the server needs, so that the machine's settings don't leak into a test. */
function toEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, NODE_ENV: "production", ...env };
}

export function spawnNode(args: string[], env: Record<string, string>, channel: "ipc"[] = []) {
  const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...channel];
  const child = spawn(process.execPath, args, { cwd: root, env: toEnv(env), stdio }) as ChildProcessByStdio<
    null,
    Readable,
    Readable
  >;
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const outcome: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    outcome.stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => {
    process.off("exit", killAtExit);
    outcome.code = code as number | null;
    return outcome;
  });
  return { child, outcome, ended };
}

/** Runs Node with these arguments until the program exits. */
export function runToEnd(args: string[], env: Record<string, string>): Promise<Outcome> {
  return spawnNode(args, env).ended;
}

/** Bundles the server once per process, and returns the bundle's file. */
export function getServerCode(): Promise<string> {
  if (!code) {
    removeLeftCode();
    code = bundleServer(root, join(codeFolder, String(process.pid)));
  }
  return code;
}

/** Removes the bundles that belong to ended processes, because a killed process cannot remove its own. */
function removeLeftCode(): void {
  if (!existsSync(codeFolder)) return;
  for (const pid of readdirSync(codeFolder)) {
    try {
      process.kill(Number(pid), 0);
    } catch {
      rmSync(join(codeFolder, pid), { recursive: true, force: true });
    }
  }
}

/** Starts the server without its pages. If the server exits instead, rejects with its error output. */
export async function startServer(env: Record<string, string>): Promise<ServerProcess> {
  return startBuiltServer(await getServerCode(), env);
}

/** Like `startServer`, but runs the sources, with flags for Node. */
export function startSources(env: Record<string, string>, flags: string[]): Promise<ServerProcess> {
  return startMain([...process.execArgv, ...flags, "server/node/main.ts", "--no-pages"], env);
}

/** Like `startServer`, but runs a given build. */
export function startBuiltServer(
  main: string,
  env: Record<string, string>,
  options = ["--no-pages"],
): Promise<ServerProcess> {
  return startMain([main, ...options], env);
}

async function startMain(command: string[], env: Record<string, string>): Promise<ServerProcess> {
  // If this process ends, even by a kill, the IPC channel closes and the server shuts down.
  const { child, outcome, ended } = spawnNode(command, { PORT: "0", ...env }, ["ipc"]);
  const origin = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /JSON-RPC\s+(http:\/\/localhost:\d+)\/[\s\S]*\n\n$/.exec(outcome.stdout)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    void ended.then(({ code, stderr }) => reject(new Error(`The server exited with code ${code}: ${stderr}`)));
  });
  return {
    origin,
    banner: outcome.stdout,
    child,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
