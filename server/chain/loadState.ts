/**
 * Merges accounts into a chain, for example from an anvil dump. First mines empty blocks up to the dump's height, so
 * that block numbers and timestamps continue from there.
 */
import { editState } from "@/server/chain/editState";
import { maxTimestamp, readClock } from "@/server/chain/producer/settings";
import type { Producer } from "@/server/chain/producer/state";
import { mineBlock } from "@/server/chain/producer/triggers";
import type { Address, Hash, Hex } from "@/server/ethereum/types";

export type LoadedState = {
  accounts: {
    address: Address;
    nonce: bigint;
    balance: bigint;
    code: Hex;
    slots: { slot: Hash; value: Hash }[];
  }[];
  /** The block at which the dump was made. */
  block?: { number: number; timestamp: number; baseFeePerGas: bigint | undefined };
};

/** The maximum number of blocks to mine. A dump from a fork of a public chain would require more blocks than this. */
const maxAddedBlocks = 10_000;

/** The time limit for loading a state, which can take longer than a call is allowed to run. */
const loadMs = 600_000;

/**
 * Sets each account's balance, code and slots to the given values, and its nonce to the larger of the old and the given
 * one. Other accounts and slots don't change.
 */
export async function loadState(producer: Producer, { accounts, block }: LoadedState): Promise<void> {
  const { head, settings } = producer;
  if (block) await reachBlock(producer, block);
  const edits = await Promise.all(
    accounts.map(async (account) => {
      const known = await head.store.findAccount(account.address, head.header.number);
      return { ...account, nonce: known && known.nonce > account.nonce ? known.nonce : account.nonce };
    }),
  );
  await editState(producer, edits, loadMs);
  const aheadSeconds = head.header.timestamp - readClock(settings);
  if (aheadSeconds > 0) settings.clockOffset += aheadSeconds;
}

async function reachBlock(producer: Producer, block: NonNullable<LoadedState["block"]>): Promise<void> {
  const { head } = producer;
  if (block.number - head.header.number > maxAddedBlocks) return;
  while (head.header.number < block.number) {
    await mineBlock(producer, (env, parent) => ({
      ...env,
      timestamp: Math.max(parent.timestamp, Math.min(block.timestamp, maxTimestamp)),
      ...(block.baseFeePerGas !== undefined &&
        env.baseFeePerGas !== undefined &&
        env.number === block.number && { baseFeePerGas: block.baseFeePerGas }),
    }));
  }
}
