/** explorer_ methods for one transaction. */
import { toQuantity } from "@/lib/units";
import { findByNonce } from "@/server/explorer/nonceSearch";
import { findTransactionEffects } from "@/server/explorer/transactionEffects";
import { encodeEffects } from "@/server/rpc/encodeExplorer";
import { handler } from "@/server/rpc/ports";

export const explorer_getTransactionByNonce = handler(
  "explorer_getTransactionByNonce",
  ["chain", "blocks", "state", "pool"],
  async (context, sender, nonce) => {
    const found = await findByNonce(context, sender, nonce);
    if (!found) return null;
    return { hash: found.hash, blockNumber: found.blockNumber === undefined ? null : toQuantity(found.blockNumber) };
  },
);

export const explorer_getTransactionEffects = handler(
  "explorer_getTransactionEffects",
  ["calls", "pool"],
  async (context, hash) => {
    const effects = await findTransactionEffects(context, hash);
    return effects ? encodeEffects(effects) : null;
  },
);
