/**
 * Runs anvil as a second implementation to compare ours with. Its chain has the same accounts and mines only on
 * request. Invariant: its blocks have the same number, timestamp, base fee and transaction order as the blocks passed
 * to `follow`.
 */

import { toQuantity } from "@/lib/units";
import type { Block } from "@/server/ethereum/types";
import { type AnvilProcess, startAnvilProcess } from "@/server/testing/anvilProcess";

export type AnvilPeer = Pick<AnvilProcess, "ask" | "place"> & {
  /** Mines the block's transactions in order. Throws if anvil rejects or omits one. */
  follow(block: Block): Promise<void>;
  close(): Promise<void>;
};

/** Starts anvil with the Osaka hard fork. The genesis timestamp is in seconds. */
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
    // Makes anvil include transactions in the order in which they are sent.
    order: "fifo",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { ask, tell, place, stop } = await startAnvilProcess([
    "--no-mining",
    "--steps-tracing",
    "--enable-tx-gas-limit",
    ...flags,
  ]);
  return {
    ask,
    place,
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
    close: stop,
  };
}
