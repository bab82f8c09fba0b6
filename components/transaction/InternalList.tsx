"use client";
/** A transaction's first internal transactions, as short as in a list. Loaded only if there are some. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { ExactNativeAmount } from "@/components/atoms/Amount";
import { useSource } from "@/components/layout/NetworkContext";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { InternalPlaceholders, internalRowClass, mostInternalRows } from "@/components/transaction/InternalRows";
import { type InternalTransaction, listInternalTransactions } from "@/lib/decode/internals";
import { traceQuery } from "@/lib/query/transaction";

export function InternalList({ hash, count }: { hash: string; count: number }) {
  const { data: root, error } = useQuery(traceQuery(useSource(), hash));
  if (error) return <p className="text-ink-2">The node can’t trace this transaction.</p>;
  if (!root) return <InternalPlaceholders count={count} />;
  const rows = listInternalTransactions(root).slice(0, mostInternalRows);
  return (
    <ol>
      {rows.map((row) => (
        <li key={`${row.id}${row.kind}`} className={internalRowClass}>
          <Row {...row} />
        </li>
      ))}
    </ol>
  );
}

function Row({ kind, from, to, valueWei, isReverted }: InternalTransaction) {
  const recipient = to ? <AddressLink address={to} contract={kind.startsWith("create")} /> : "no contract";
  return (
    <>
      <PartiesCell from={<AddressLink contract address={from} />} to={recipient} />
      <span className={`max-sm:order-1 sm:ml-2 ${isReverted ? "line-through decoration-ink-3" : ""}`}>
        <ExactNativeAmount wei={valueWei} />
      </span>
      <span className="method mono">{kind}</span>
    </>
  );
}
