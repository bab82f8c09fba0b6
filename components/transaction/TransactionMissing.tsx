"use client";
/** Shown for an unknown transaction hash. It keeps checking, and shows the transaction after somebody sends it. */
import { useQuery } from "@tanstack/react-query";
import { Status, toStatusName } from "@/components/atoms/Status";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { headNumberQuery, poolStatusQuery } from "@/lib/query/queries";

export function TransactionMissing({ hash }: { hash: string }) {
  const network = useNetwork();
  const source = useSource();
  const { data: pool } = useQuery(poolStatusQuery(source, hash));
  const { data: head } = useQuery(headNumberQuery(source));
  const isDropped = pool !== undefined && pool.status !== "unknown" && pool.status !== "mined";
  return (
    <Sheet>
      {isDropped ? (
        <Empty level="h2" title="This transaction was dropped from the pool">
          <Status name={toStatusName(pool.status)} />
          {pool.reason && <p>{pool.reason}</p>}
        </Empty>
      ) : (
        <Empty level="h2" icon="search" title={`Transaction not found on ${network.label}`}>
          <p>Not in the pool or in any block up to {head === undefined ? "" : Number(head)}.</p>
          <p>This page updates if the transaction appears.</p>
        </Empty>
      )}
    </Sheet>
  );
}
