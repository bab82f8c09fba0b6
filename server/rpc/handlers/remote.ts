/**
 * What pages read on networks that hold no chain: the same methods as in the other modules, from a remote node's data
 * or without what the network lacks.
 */
import { listBlocks, listBlockTransactions, listTransactions } from "@/server/explorer/remote/blocks";
import { findTransactionEffects, listHoldings, listLogs, readSeries } from "@/server/explorer/remote/reads";
import { handler } from "@/server/rpc/ports";

export const explorer_getBlocks = handler("explorer_getBlocks", ["remote"], ({ remote }, page) =>
  listBlocks(remote, page),
);

export const explorer_getTransactions = handler("explorer_getTransactions", ["remote"], ({ remote }, page) =>
  listTransactions(remote, page),
);

export const explorer_getBlockTransactions = handler(
  "explorer_getBlockTransactions",
  ["remote"],
  ({ remote }, block, page) => listBlockTransactions(remote, block, page),
);

export const explorer_getHoldings = handler("explorer_getHoldings", ["remote"], ({ remote, network }, holder, page) =>
  listHoldings(remote, network.tokens, holder, page),
);

export const explorer_getLogs = handler("explorer_getLogs", ["remote"], ({ remote }, address, filter) =>
  listLogs(remote, address, filter),
);

export const explorer_getTransactionEffects = handler(
  "explorer_getTransactionEffects",
  ["remote"],
  ({ remote }, hash) => findTransactionEffects(remote, hash),
);

export const explorer_getSeries = handler(
  "explorer_getSeries",
  ["remote", "payments"],
  ({ remote, payments }, blocks) => readSeries(remote, payments, blocks),
);
