/**
 * Polled filters, built on the chain's own. Each client, identified by its address, may hold a limited share of them.
 */

import { encodeLog, encodeRemovedLog } from "@/server/rpc/encode";
import { listLogs } from "@/server/rpc/listLogs";
import { type Caller, handler } from "@/server/rpc/ports";

const toClient = ({ caller }: { caller: Caller }) => caller.address ?? "in process";

export const eth_newFilter = handler("eth_newFilter", ["filters"], (context, filter) =>
  context.filters.addLogs(toClient(context), { ...filter, addresses: filter.addresses }),
);

export const eth_newBlockFilter = handler("eth_newBlockFilter", ["filters"], (context) =>
  context.filters.addBlocks(toClient(context)),
);

export const eth_newPendingTransactionFilter = handler("eth_newPendingTransactionFilter", ["filters"], (context) =>
  context.filters.addPending(toClient(context)),
);

export const eth_getFilterChanges = handler("eth_getFilterChanges", ["filters"], async ({ filters }, id) => {
  const changes = await filters.changes(id);
  if (changes.kind !== "logs") return changes.hashes;
  return [...changes.gone.map(encodeRemovedLog), ...changes.logs.map(encodeLog)];
});

export const eth_getFilterLogs = handler("eth_getFilterLogs", ["chain", "blocks", "filters"], (context, id) =>
  listLogs(context, context.filters.getLogFilter(id)),
);

export const eth_uninstallFilter = handler("eth_uninstallFilter", ["filters"], ({ filters }, id) => filters.remove(id));
