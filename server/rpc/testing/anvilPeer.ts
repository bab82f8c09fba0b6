/**
 * anvil as a second implementation: a chain with the same accounts, that mines only what and when it is told to.
 * The invariant: its blocks have the number, time, fee and order of transactions of the blocks it is given.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { GenesisAccount } from "@/server/chain/evm/executor";
import type { Address, Block } from "@/server/chain/types";
import { toQuantity } from "@/server/rpc/encode";
import { readAnvilPort } from "@/server/testing/anvilPort";

export type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
export type AnvilPeer = {
  ask(method: string, params: unknown[]): Promise<RpcAnswer>;
  /** Puts an account where genesis has it. */
  place(address: Address, account: GenesisAccount): Promise<void>;
  /** Mines the block's transactions, in its order. Throws where anvil refuses one or leaves it out. */
  follow(block: Block): Promise<void>;
  close(): Promise<void>;
};

const binary = join(import.meta.dirname, "../../../node_modules/.bin/anvil");

/** Starts anvil at a genesis time in seconds, with the rules of Osaka. */
export async function startAnvilPeer(options: {
  chainId: number;
  timestamp: number;
  gasLimit: bigint;
}): Promise<AnvilPeer> {
  const settings = {
    port: 0,
    "chain-id": options.chainId,
    timestamp: options.timestamp,
    "gas-limit": options.gasLimit,
    "block-base-fee-per-gas": 1_000_000_000,
    hardfork: "osaka",
    // In the order in which they are sent.
    order: "fifo",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(binary, ["--no-mining", "--steps-tracing", "--enable-tx-gas-limit", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await readAnvilPort(child);

  async function ask(method: string, params: unknown[]): Promise<RpcAnswer> {
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as RpcAnswer;
  }
  async function tell(method: string, params: unknown[]): Promise<unknown> {
    const { result, error } = await ask(method, params);
    if (error) throw new Error(`anvil refused ${method}: ${error.message}`);
    return result;
  }

  return {
    ask,
    async place(address, account) {
      await tell("anvil_setCode", [address, account.code ?? "0x"]);
      await tell("anvil_setBalance", [address, toQuantity(account.balance)]);
      await tell("anvil_setNonce", [address, toQuantity(account.nonce ?? 0n)]);
      for (const [slot, value] of Object.entries(account.storage ?? {})) {
        await tell("anvil_setStorageAt", [address, slot, value]);
      }
    },
    async follow({ header, transactions }) {
      await tell("anvil_setCoinbase", [header.coinbase]);
      await tell("anvil_setNextBlockBaseFeePerGas", [toQuantity(header.baseFeePerGas ?? 0n)]);
      await tell("evm_setNextBlockTimestamp", [header.timestamp]);
      for (const { raw } of transactions) {
        await tell("eth_sendRawTransaction", [`0x${Buffer.from(raw).toString("hex")}`]);
      }
      await tell("evm_mine", []);
      const mined = (await tell("eth_getBlockByNumber", ["latest", false])) as {
        number: string;
        transactions: string[];
      };
      const wanted = transactions.map(({ hash }) => hash);
      if (Number(mined.number) !== header.number || mined.transactions.join() !== wanted.join()) {
        throw new Error(`anvil mined block ${mined.number} with ${mined.transactions.length} of ${wanted.length}.`);
      }
    },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}
