/** For tests: a chain with a single block and the given accounts. By default, the newest fork's rules apply. */

import { emptyBloom } from "@/server/ethereum/codec/bloom";
import { emptyOmmersHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Header } from "@/server/ethereum/types";
import { executeGenesis } from "@/server/execution/genesis";
import { createMemoryStore, type MemoryStore } from "@/server/execution/testing/memoryStore";
import { toEnv } from "@/server/execution/testing/rpcCompat";
import type { BlockEnv, Call, CallMessage } from "@/server/ports/executor";

export const alice: Address = `0x${"a1".repeat(20)}`;
export const bob: Address = `0x${"b0".repeat(20)}`;
export const coinbase: Address = `0x${"cb".repeat(20)}`;

export type Sandbox = {
  spec: ChainSpec;
  store: MemoryStore;
  head: Header;
  /** The environment of the block after the genesis. */
  env: BlockEnv;
  /** The fields that every kind of call has. By default, the call is from alice, with plenty of gas and no fee. */
  toJob(call: Partial<CallMessage>): Omit<Call, "kind">;
};

export async function createSandbox(
  accounts: Record<Address, GenesisAccount>,
  spec: ChainSpec = toEmbeddedSpec(31_337),
): Promise<Sandbox> {
  const alloc = { [alice]: { balance: 10n ** 24n }, ...accounts };
  const { state, stateRoot } = await executeGenesis({ kind: "genesis", spec, alloc });
  const head = toHeader({
    parentHash: `0x${"00".repeat(32)}`,
    ommersHash: emptyOmmersHash,
    coinbase,
    stateRoot,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    difficulty: 0n,
    number: 0,
    gasLimit: 100_000_000n,
    gasUsed: 0n,
    timestamp: 1_000,
    extraData: "0x",
    mixHash: `0x${"00".repeat(32)}`,
    nonce: "0x0000000000000000",
    baseFeePerGas: 1_000_000_000n,
    withdrawalsRoot: emptyTrieRoot,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: `0x${"00".repeat(32)}`,
  });
  const store = createMemoryStore();
  store.commit(head, state);
  const env: BlockEnv = { ...toEnv(head), number: 1, timestamp: 1_001, parentHash: head.hash };
  return {
    spec,
    store,
    head,
    env,
    toJob: (call) => ({
      spec,
      env,
      stateBlock: 0,
      call: { from: alice, gas: 10_000_000n, value: 0n, input: "0x", gasPrice: 0n, ...call },
    }),
  };
}
