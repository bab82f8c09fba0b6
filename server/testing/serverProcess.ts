/**
 * The real server as a child process, for tests: started on a free port with a data folder of its own, killed at the
 * latest when the test process ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type Outcome = { code: number | null; stdout: string; stderr: string };

export type ServerProcess = {
  origin: string;
  /** What it printed at the start. */
  banner: string;
  child: ChildProcess;
  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Outcome>;
};

/** Only what the server needs: the machine's own settings must not leak into a test. */
function toEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, NODE_ENV: "production", ...env };
}

function spawnNode(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, { cwd: root, env: toEnv(env), stdio: ["ignore", "pipe", "pipe"] });
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

/** Runs a command of server/bin to its end. */
export function runToEnd(args: string[], env: Record<string, string>): Promise<Outcome> {
  return spawnNode(args, env).ended;
}

/** Starts the server without its pages, flags being Node's; rejects with what it said where it ends instead. */
export function startServer(env: Record<string, string>, flags: string[] = []): Promise<ServerProcess> {
  return startMain([...process.execArgv, ...flags, "server/main.ts"], env);
}

/** As startServer, of the code that was made of the sources. */
export function startBuiltServer(main: string, env: Record<string, string>): Promise<ServerProcess> {
  return startMain([main], env);
}

async function startMain(command: string[], env: Record<string, string>): Promise<ServerProcess> {
  const { child, outcome, ended } = spawnNode([...command, "--no-pages"], { PORT: "0", ...env });
  const origin = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /JSON-RPC\s+(http:\/\/localhost:\d+)\/[\s\S]*\n\n$/.exec(outcome.stdout)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    void ended.then(({ code, stderr }) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
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
