/** Proves an account in the state trie at a block. */
import { decodeRlp } from "@/lib/rlp";
import { toBigInt, toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { proveKey } from "@/server/ethereum/proof";
import type { Address, BlockRef, Hash } from "@/server/ethereum/types";
import { pauseIfLong } from "@/server/rpc/pauseIfLong";
import type { Ports } from "@/server/rpc/ports";

/** Returns the proof, and the source of trie nodes that the caller needs to prove the account's slots. */
export async function proveAccount({ chain, state }: Pick<Ports, "chain" | "state">, address: Address, ref: BlockRef) {
  const header = await chain.getHeader(ref);
  // Each path has about ten nodes, so reading many paths without a pause would block the thread.
  const source = {
    findTrieNode: async (hash: Hash) => {
      await pauseIfLong();
      return state.findTrieNode(hash);
    },
  };
  const stateRoot = (await state.findEditedRoot(header.number)) ?? header.stateRoot;
  const { value, nodes } = await proveKey(source, stateRoot, address);
  return { ...readAccount(value), nodes, source };
}

/** Decodes an account's RLP: nonce, balance, storage root, code hash. */
function readAccount(value: Uint8Array | undefined) {
  if (!value) return { nonce: 0n, balance: 0n, storageHash: emptyTrieRoot, codeHash: emptyCodeHash };
  const [nonce, balance, storageRoot, codeHash] = decodeRlp(value) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return {
    nonce: toBigInt(nonce),
    balance: toBigInt(balance),
    storageHash: toHex(storageRoot),
    codeHash: toHex(codeHash),
  };
}
