/**
 * anvil as a peer of tests and benchmarks: a process of its own, which takes accounts as a genesis has them. Invariant:
 * once it is stopped, nothing of it runs or listens.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { numberToHex } from "viem";
import type { GenesisAccount } from "@/server/ethereum/types";

export type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

export type AnvilProcess = {
  port: number;
  url: string;
  /** One JSON-RPC request. */
  ask(method: string, params?: unknown[]): Promise<RpcAnswer>;
  /** As ask, for its result. Throws where anvil refuses. */
  tell(method: string, params?: unknown[]): Promise<unknown>;
  /** Puts an account where genesis has it. */
  place(address: string, account: GenesisAccount): Promise<void>;
  /** Ends the process, after it wrote its state where it was told to; nothing where it ended before. */
  stop(): Promise<void>;
};

/** Starts it with flags of the command line. Throws with what it printed where it ends before it listens. */
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
    if (error) throw new Error(`anvil refused ${method}: ${error.message}`);
    return result;
  }

  return {
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

/** The program itself, without npm's wrapper, which is a node process more and ends before it does. */
export function findAnvil(): string {
  const scope = join(import.meta.dirname, "../../node_modules/@foundry-rs");
  const platform = readdirSync(scope).find((name) => name.startsWith("anvil-"));
  if (!platform) throw new Error("npm has brought no anvil for this platform.");
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
    child.once("exit", (code) => reject(new Error(`anvil ended with code ${code}:\n${output}`)));
  });
}
