/** explorer_ methods for one transaction. */
import { toQuantity } from "@/lib/units";
import { findByNonce } from "@/server/explorer/nonceSearch";
import { findTransactionEffects } from "@/server/explorer/transactionEffects";
import type { Handler } from "@/server/rpc/context";
import { encodeEffects } from "@/server/rpc/encodeExplorer";

export const explorer_getTransactionByNonce: Handler<"explorer_getTransactionByNonce"> = async (
  { chain },
  sender,
  nonce,
) => {
  const found = await findByNonce(chain, sender, nonce);
  if (!found) return null;
  return { hash: found.hash, blockNumber: found.blockNumber === undefined ? null : toQuantity(found.blockNumber) };
};

export const explorer_getTransactionEffects: Handler<"explorer_getTransactionEffects"> = async ({ chain }, hash) => {
  const effects = await findTransactionEffects(chain, hash);
  return effects ? encodeEffects(effects) : null;
};
