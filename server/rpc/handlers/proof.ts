/** eth_getProof. Values are read from the proofs themselves, so they always match. */

import { decodeRlp } from "@/lib/rlp";
import { toQuantity } from "@/lib/units";
import { toBigInt, toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { proveKey } from "@/server/ethereum/proof";
import type { Hash } from "@/server/ethereum/types";
import { pauseIfLong } from "@/server/rpc/pauseIfLong";
import { handlers } from "@/server/rpc/ports";

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

export const proofHandlers = handlers(["chain", "state"], {
  eth_getProof: async ({ chain, state }, address, keys, ref) => {
    const header = await chain.getHeader(ref);
    // A path has about ten nodes, so reading the paths of a large request or a batch in one go would block the thread.
    const source = {
      findTrieNode: async (hash: Hash) => {
        await pauseIfLong();
        return state.findTrieNode(hash);
      },
    };
    const stateRoot = (await state.findEditedRoot(header.number)) ?? header.stateRoot;
    const proved = await proveKey(source, stateRoot, address);
    const account = readAccount(proved.value);
    const storageProof = await Promise.all(
      keys.map(async ({ slot, key }) => {
        const { nodes, value } = await proveKey(source, account.storageHash, slot);
        return { key, value: toQuantity(value ? toBigInt(decodeRlp(value) as Uint8Array) : 0n), proof: nodes };
      }),
    );
    return {
      address,
      accountProof: proved.nodes,
      balance: toQuantity(account.balance),
      codeHash: account.codeHash,
      nonce: toQuantity(account.nonce),
      storageHash: account.storageHash,
      storageProof,
    };
  },
});
