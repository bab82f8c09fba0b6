"use client";
/** A transaction's internal transactions as a flat list, each with a link to its call in the trace. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { NativeAmount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { TransferHead, TransferRow, transferListClass } from "@/components/transaction/TransferRow";
import type { InternalTransaction } from "@/lib/decode/internals";
import { plural } from "@/lib/plural";

export function InternalTransactions({ hash, rows }: { hash: string; rows: readonly InternalTransaction[] }) {
  const { name } = useNetwork();
  return (
    <Sheet id="internal" title={`${rows.length} internal ${plural(rows.length, "transaction")}`}>
      <ol className={transferListClass}>
        <TransferHead source="Call" />
        {rows.map(({ id, kind, from, to, valueWei, isReverted }) => (
          <TransferRow
            key={`${id}${kind}`}
            from={<AddressLink full contract address={from} />}
            to={to ? <AddressLink full address={to} contract={kind.startsWith("create")} /> : "no contract"}
            amount={
              <span className={isReverted ? "line-through decoration-ink-3" : ""}>
                <NativeAmount wei={valueWei} digits={24} />
              </span>
            }
          >
            <span className="method mono">{kind}</span>
            {isReverted && <span className="text-neg">reverted</span>}
            <AppLink href={`${toTabPath(name, hash, "trace")}?frame=${id}`} className="text-13 text-ink-2">
              Call {id}
            </AppLink>
          </TransferRow>
        ))}
      </ol>
    </Sheet>
  );
}
