/** Log queries, and filters that clients poll. Each client address may have a limited number of filters. */

import { encodeLog, encodeRemovedLog } from "@/server/rpc/encode";
import { listLogs } from "@/server/rpc/listLogs";
import { type Caller, handlers } from "@/server/rpc/ports";

const toClient = ({ caller }: { caller: Caller }) => caller.address ?? "in process";

export const filtersHandlers = {
  ...handlers(["filters"], {
    eth_newFilter: (context, filter) =>
      context.filters.addLogs(toClient(context), { ...filter, addresses: filter.addresses }),

    eth_newBlockFilter: (context) => context.filters.addBlocks(toClient(context)),
    eth_newPendingTransactionFilter: (context) => context.filters.addPending(toClient(context)),

    eth_getFilterChanges: async ({ filters }, id) => {
      const changes = await filters.changes(id);
      if (changes.kind !== "logs") return changes.hashes;
      return [...changes.gone.map(encodeRemovedLog), ...changes.logs.map(encodeLog)];
    },

    eth_uninstallFilter: ({ filters }, id) => filters.remove(id),
  }),

  ...handlers(["chain", "blocks", "recentBlocks", "serves"], {
    eth_getLogs: (context, filter) => listLogs(context, filter),
  }),

  ...handlers(["chain", "blocks", "recentBlocks", "serves", "filters"], {
    eth_getFilterLogs: (context, id) => listLogs(context, context.filters.getLogFilter(id)),
  }),
};
