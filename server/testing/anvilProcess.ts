/**
 * Runs anvil as a separate process for tests and benchmarks, and can set up accounts in it like a genesis block does.
 * After `stop`, no anvil process is left.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { numberToHex } from "viem";
import type { GenesisAccount } from "@/server/ethereum/types";

export type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

export type AnvilProcess = {
  pid: number;
  port: number;
  url: string;
  /** Sends one JSON-RPC request. */
  ask(method: string, params?: unknown[]): Promise<RpcAnswer>;
  /** Like `ask`, but returns the result. Throws if anvil responds with an error. */
  tell(method: string, params?: unknown[]): Promise<unknown>;
  /** Sets up an account with the same code, balance, nonce and storage as a genesis account. */
  place(address: string, account: GenesisAccount): Promise<void>;
  /**
   * Stops the process. If the flags say so, anvil writes its state first. Does nothing if the process has already
   * ended.
   */
  stop(): Promise<void>;
};

/** Starts anvil with command-line flags. If it ends before it listens, throws an error with its output. */
export async function startAnvilProcess(flags: readonly string[]): Promise<AnvilProcess> {
  const child = spawn(findAnvil(), flags, { stdio: ["ignore", "pipe", "pipe"] });
  const port = await readPort(child);
  const url = `http://127.0.0.1:${port}/`;

  async function ask(method: string, params: unknown[] = []): Promise<RpcAnswer> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as RpcAnswer;
  }
  async function tell(method: string, params?: unknown[]): Promise<unknown> {
    const { result, error } = await ask(method, params);
    if (error) throw new Error(`anvil rejected ${method}: ${error.message}`);
    return result;
  }

  return {
    pid: child.pid!,
    port,
    url,
    ask,
    tell,
    async place(address, { code = "0x", balance, nonce, storage = {} }) {
      await tell("anvil_setCode", [address, code]);
      await tell("anvil_setBalance", [address, numberToHex(balance)]);
      if (nonce !== undefined) await tell("anvil_setNonce", [address, numberToHex(nonce)]);
      for (const [slot, value] of Object.entries(storage)) await tell("anvil_setStorageAt", [address, slot, value]);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** The path of the binary itself. npm's wrapper would add a Node process that ends before the binary does. */
export function findAnvil(): string {
  const scope = join(import.meta.dirname, "../../node_modules/@foundry-rs");
  const platform = readdirSync(scope).find((name) => name.startsWith("anvil-"));
  if (!platform) throw new Error("npm did not install anvil for this platform.");
  return join(scope, platform, "bin/anvil");
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const port = /Listening on [^\s:]+:(\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`anvil exited with code ${code}:\n${output}`)));
  });
}
