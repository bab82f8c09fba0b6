/** The pool's transactions: as a list, and in geth's format, grouped by sender and nonce. */

import { toQuantity } from "@/lib/units";
import type { PoolEntry } from "@/server/chain/txpool/state";
import { encodeTransaction } from "@/server/rpc/encode";
import { handlers, type Ports } from "@/server/rpc/ports";

export const txpoolHandlers = handlers(["pool"], {
  eth_pendingTransactions: ({ pool }) =>
    pool.list().map(({ transaction }) => encodeTransaction(transaction, undefined)),

  txpool_content: (context) => toGroups(context, ({ transaction }) => encodeTransaction(transaction, undefined)),

  txpool_inspect: (context) =>
    toGroups(context, ({ transaction }) => {
      const { to, value, gasLimit, gasPrice, maxFeePerGas } = transaction;
      const price = maxFeePerGas ?? gasPrice ?? 0n;
      return `${to ?? "contract creation"}: ${value} wei + ${gasLimit} gas × ${price} wei`;
    }),

  txpool_status: ({ pool }) => {
    const { pending, queued } = pool.counts();
    return { pending: toQuantity(pending), queued: toQuantity(queued) };
  },
});

function toGroups<T>({ pool }: Pick<Ports, "pool">, encode: (entry: PoolEntry) => T) {
  const groups = { pending: new Map<string, Map<string, T>>(), queued: new Map<string, Map<string, T>>() };
  for (const entry of pool.list()) {
    const { from, nonce } = entry.transaction;
    const group = groups[entry.record.status === "queued" ? "queued" : "pending"];
    const ofSender = group.get(from) ?? new Map<string, T>();
    group.set(from, ofSender.set(String(nonce), encode(entry)));
  }
  const toObject = (group: Map<string, Map<string, T>>) =>
    Object.fromEntries([...group].map(([sender, entries]) => [sender, Object.fromEntries(entries)]));
  return { pending: toObject(groups.pending), queued: toObject(groups.queued) };
}
