import { toQuantity } from "@/lib/units";
import { findByNonce } from "@/server/explorer/nonceSearch";
import { findTransactionEffects } from "@/server/explorer/transactionEffects";
import { encodeEffects } from "@/server/rpc/encodeExplorer";
import { handlers } from "@/server/rpc/ports";

export const explorerTransactionHandlers = {
  ...handlers(["chain", "blocks", "state", "pool"], {
    explorer_getTransactionByNonce: async (context, sender, nonce) => {
      const found = await findByNonce(context, sender, nonce);
      if (!found) return null;
      return { hash: found.hash, blockNumber: found.blockNumber === undefined ? null : toQuantity(found.blockNumber) };
    },
  }),

  ...handlers(["calls", "pool"], {
    explorer_getTransactionEffects: async (context, hash) => {
      const effects = await findTransactionEffects(context, hash);
      return effects ? encodeEffects(effects) : null;
    },
  }),
};
