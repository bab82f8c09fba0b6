/**
 * Polled filters, built on the chain's own. Each client, identified by its address, may hold a limited share of them.
 */
import type { Handler, RpcContext } from "@/server/rpc/context";
import { encodeLog, encodeRemovedLog } from "@/server/rpc/encode";
import { listLogs } from "@/server/rpc/listLogs";

const toClient = ({ caller }: RpcContext) => caller.address ?? "in process";

export const eth_newFilter: Handler<"eth_newFilter"> = (context, filter) =>
  context.filters.addLogs(toClient(context), { ...filter, addresses: filter.addresses });

export const eth_newBlockFilter: Handler<"eth_newBlockFilter"> = (context) =>
  context.filters.addBlocks(toClient(context));

export const eth_newPendingTransactionFilter: Handler<"eth_newPendingTransactionFilter"> = (context) =>
  context.filters.addPending(toClient(context));

export const eth_getFilterChanges: Handler<"eth_getFilterChanges"> = async ({ filters }, id) => {
  const changes = await filters.changes(id);
  if (changes.kind !== "logs") return changes.hashes;
  return [...changes.gone.map(encodeRemovedLog), ...changes.logs.map(encodeLog)];
};

export const eth_getFilterLogs: Handler<"eth_getFilterLogs"> = (context, id) =>
  listLogs(context, context.filters.getLogFilter(id));

export const eth_uninstallFilter: Handler<"eth_uninstallFilter"> = ({ filters }, id) => filters.remove(id);
