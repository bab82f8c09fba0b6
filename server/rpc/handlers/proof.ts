/** eth_getProof. The values in the response are read from the proofs, so they always match the proofs. */

import { decodeRlp } from "@/lib/rlp";
import { toQuantity } from "@/lib/units";
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { proveKey } from "@/server/ethereum/proof";
import { handlers } from "@/server/rpc/ports";
import { proveAccount } from "@/server/rpc/proveAccount";

export const proofHandlers = handlers(["chain", "state"], {
  eth_getProof: async (context, address, keys, ref) => {
    const {
      nonce,
      balance,
      storageHash,
      codeHash,
      nodes: accountProof,
      source,
    } = await proveAccount(context, address, ref);
    const storageProof = await Promise.all(
      keys.map(async ({ slot, key }) => {
        const { nodes, value } = await proveKey(source, storageHash, slot);
        return { key, value: toQuantity(value ? toBigInt(decodeRlp(value) as Uint8Array) : 0n), proof: nodes };
      }),
    );
    return {
      address,
      accountProof,
      balance: toQuantity(balance),
      codeHash,
      nonce: toQuantity(nonce),
      storageHash,
      storageProof,
    };
  },
});
