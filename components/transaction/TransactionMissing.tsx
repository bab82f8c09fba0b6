"use client";
/** Shown for an unknown transaction hash. It keeps checking, and shows the transaction after somebody sends it. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { Status, toStatusName } from "@/components/atoms/Status";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { LeftReason } from "@/components/pool/LeftReason";
import { toSectionPath, toTransactionPath } from "@/lib/links";
import type { NetworkChoice } from "@/lib/networks";
import { poolQuery } from "@/lib/query/explorerQueries";
import { headNumberQuery, poolStatusQuery } from "@/lib/query/queries";

export function TransactionMissing({ hash, others }: { hash: string; others: readonly NetworkChoice[] }) {
  const network = useNetwork();
  const source = useSource();
  const { data: pool } = useQuery(poolStatusQuery(source, hash));
  const { data: head } = useQuery(headNumberQuery(source));
  const isDropped = pool !== undefined && pool.status !== "unknown" && pool.status !== "mined";
  const { data: view } = useQuery({ ...poolQuery(source), enabled: isDropped });
  const row = view?.left.find((each) => each.hash === hash);
  return (
    <Sheet>
      {isDropped ? (
        <Empty
          level="h2"
          title={`This transaction was ${pool.status === "replaced" ? "replaced" : "dropped from the pool"}`}
        >
          <p className="flex flex-wrap items-center gap-x-3">
            <Status name={toStatusName(pool.status)} />
            {row && <Age timestamp={Math.floor(Number(row.changedAt) / 1000)} />}
          </p>
          {pool.reason && <LeftReason reason={pool.reason} />}
          {row && (
            <p className="flex flex-wrap items-center gap-x-1.5">
              Nonce {Number(row.nonce)} from <AddressLink address={row.from} />
            </p>
          )}
          <AppLink href={toSectionPath(network.name, "txpool")} className="button">
            Transaction pool
          </AppLink>
        </Empty>
      ) : (
        <Empty level="h2" title={`Transaction not found on ${network.label}`}>
          <p>It isn’t in the pool or in any block.</p>
          <p className="flex items-baseline gap-2.5">
            <span
              aria-hidden
              className="size-2 flex-none animate-pulse rounded-full bg-pos motion-reduce:animate-none"
            />
            Checking each new block, most recently {head === undefined ? "" : Number(head)}. This page updates if the
            transaction appears.
          </p>
          {network.isLocal && <p>If this chain was reset, its earlier transactions are gone.</p>}
          {others.length > 0 && (
            <p className="flex flex-wrap gap-2">
              {others.map(({ name, label }) => (
                <AppLink key={name} href={toTransactionPath(name, hash)} className="button">
                  Look on {label}
                </AppLink>
              ))}
            </p>
          )}
          <p className="flex flex-wrap gap-x-4 gap-y-2">
            <AppLink href={toSectionPath(network.name, "txpool")} className="text-accent">
              Transaction pool
            </AppLink>
            <AppLink href={toSectionPath(network.name, "txs")} className="text-accent">
              Latest transactions
            </AppLink>
          </p>
        </Empty>
      )}
    </Sheet>
  );
}
