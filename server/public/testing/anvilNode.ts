/**
 * anvil as a public node: a process that can be stopped and started again with its chain, with or without mining by
 * itself. Invariant: its address stays the same, and what it had not mined is lost with the process.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import type { GenesisAccount } from "@/server/chain/evm/executor";
import { readAnvilPort } from "@/server/testing/anvilPort";

const binary = join(import.meta.dirname, "../../../node_modules/.bin/anvil");

export type AnvilNode = {
  url: string;
  ask(method: string, params?: unknown[]): Promise<unknown>;
  /** Puts an account where genesis has it. */
  place(address: string, account: GenesisAccount): Promise<void>;
  /** Ends the process; its blocks are kept. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(flags?: string[]): Promise<void>;
};

/** Starts anvil with a folder for its state. */
export async function startAnvilNode(options: {
  chainId: number;
  folder: string;
  flags?: string[];
}): Promise<AnvilNode> {
  const state = join(options.folder, "anvil.json");
  let child: ChildProcess | undefined;
  let port = 0;

  async function start(flags: string[] = []): Promise<void> {
    const args = ["--chain-id", String(options.chainId), "--port", String(port), "--state", state, ...flags];
    child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
    port = await readAnvilPort(child);
  }
  await start(options.flags);

  const toUrl = () => `http://127.0.0.1:${port}/`;
  async function ask(method: string, params: unknown[] = []): Promise<unknown> {
    const response = await fetch(toUrl(), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error) throw new Error(`anvil refused ${method}: ${error.message}`);
    return result;
  }

  return {
    url: toUrl(),
    ask,
    async place(address, { code = "0x", balance, nonce, storage = {} }) {
      await ask("anvil_setCode", [address, code]);
      await ask("anvil_setBalance", [address, `0x${balance.toString(16)}`]);
      if (nonce !== undefined) await ask("anvil_setNonce", [address, `0x${nonce.toString(16)}`]);
      for (const [slot, value] of Object.entries(storage)) await ask("anvil_setStorageAt", [address, slot, value]);
    },
    async stop() {
      if (!child || child.exitCode !== null) return;
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
      // The child is npm's wrapper; the node itself ends a moment later, after it has written its state.
      while (await isListening(port)) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    start,
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
