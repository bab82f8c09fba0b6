/**
 * Fallback handlers for networks that don't have certain ports: some read lists from a remote node, others return the
 * settings of a chain without dev controls.
 */
import { listBlocks, listBlockTransactions, listTransactions } from "@/server/explorer/remote/blocks";
import { findTransactionEffects, listHoldings, listLogs, listTokens, readSeries } from "@/server/explorer/remote/reads";
import { handlers } from "@/server/rpc/ports";

export const otherHandlers = {
  ...handlers(["remote"], {
    explorer_getBlocks: ({ remote }, page) => listBlocks(remote, page),
    explorer_getTransactions: ({ remote }, page) => listTransactions(remote, page),
    explorer_getBlockTransactions: ({ remote }, block, page) => listBlockTransactions(remote, block, page),
    explorer_getHoldings: ({ remote, network }, holder, page) => listHoldings(remote, network.tokens, holder, page),
    explorer_getTokens: ({ network }) => listTokens(network.tokens),
    explorer_getLogs: ({ remote }, address, filter) => listLogs(remote, address, filter),
    explorer_getTransactionEffects: ({ remote }, hash) => findTransactionEffects(remote, hash),
  }),

  ...handlers(["remote", "payments"], {
    explorer_getSeries: ({ remote, payments }, blocks) => readSeries(remote, payments, blocks),
  }),

  ...handlers([], {
    eth_accounts: () => [],
  }),

  ...handlers(["chain"], {
    explorer_getDeveloperState: () => null,
  }),
};
