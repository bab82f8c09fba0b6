/** An account as the state trie has it at a block, with the nodes that prove it. */
import { decodeRlp } from "@/lib/rlp";
import { toBigInt, toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { proveKey } from "@/server/ethereum/proof";
import type { Address, BlockRef, Hash } from "@/server/ethereum/types";
import { pauseIfLong } from "@/server/rpc/pauseIfLong";
import type { Ports } from "@/server/rpc/ports";

/** Also returns the source of trie nodes, for proofs of the account's slots. */
export async function proveAccount({ chain, state }: Pick<Ports, "chain" | "state">, address: Address, ref: BlockRef) {
  const header = await chain.getHeader(ref);
  // A path has about ten nodes, so reading the paths of a large request or a batch in one go would block the thread.
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
