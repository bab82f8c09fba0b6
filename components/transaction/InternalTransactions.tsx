"use client";
/** A transaction's internal transactions as a flat list, each with a link to its call in the trace. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { NativeAmount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import type { InternalTransaction } from "@/lib/decode/internals";
import { plural } from "@/lib/plural";

export function InternalTransactions({ hash, rows }: { hash: string; rows: readonly InternalTransaction[] }) {
  const { name } = useNetwork();
  return (
    <Sheet id="internal" title={`${rows.length} internal ${plural(rows.length, "transaction")}`}>
      <ol>
        {rows.map(({ id, kind, from, to, valueWei, isReverted }) => (
          <li
            key={`${id}${kind}`}
            className="reveals flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b px-4 py-2 last:border-b-0"
          >
            <PartiesCell
              from={<AddressLink contract address={from} />}
              to={to ? <AddressLink address={to} contract={kind.startsWith("create")} /> : "no contract"}
            />
            <span className="ml-auto inline-flex flex-wrap items-center gap-x-3">
              <span className="method mono">{kind}</span>
              {isReverted && <span className="text-neg">reverted</span>}
              <span className={isReverted ? "line-through decoration-ink-3" : ""}>
                <NativeAmount wei={valueWei} digits={24} />
              </span>
              <AppLink href={`${toTabPath(name, hash, "trace")}?frame=${id}`} className="text-13 text-ink-2">
                Call {id}
              </AppLink>
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
