"use client";
/**
 * What waits to be mined, and for what it waits.
 */
import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/components/chain/DataTable";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { HeldNotice } from "@/components/explorer/HeldNotice";
import { QueryFailure } from "@/components/explorer/QueryFailure";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { pendingColumns } from "@/components/explorer/transactionColumns";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { useHeld } from "@/components/layout/useHeld";
import { toSectionPath } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import { pendingTransactionsQuery } from "@/lib/query/queries";
import type { PendingSummary } from "@/lib/query/wire";

const getKey = (transaction: PendingSummary) => transaction.hash;
const none: PendingSummary[] = [];

export function PoolScreen() {
  const network = useNetwork();
  const source = useSource();
  const { data, error, refetch } = useQuery(pendingTransactionsQuery(source));
  const held = useHeld(data?.items ?? none, getKey);
  return (
    <>
      <div className="page-title">
        <h1>{t("pool.title")}</h1>
        {data && (
          <p className="text-ink-2">
            {t("pool.counts", { pending: Number(data.pending), queued: Number(data.queued) })}
          </p>
        )}
      </div>
      <div {...held.surroundings} className="min-w-0">
        <Sheet
          id="pool"
          title={t("pool.waiting")}
          aside={<HeldNotice waiting={held.waiting} onRelease={held.release} />}
        >
          {data ? (
            held.shown.length === 0 ? (
              <Empty title={t("pool.none")}>
                <p>{t(network.embedded ? "pool.noneEmbedded" : "pool.noneHint")}</p>
                <AppLink href={toSectionPath(network.name, "txs")} className="button">
                  {t("pool.toTransactions")}
                </AppLink>
              </Empty>
            ) : (
              <DataTable caption={t("pool.waiting")} columns={pendingColumns} rows={held.shown} getKey={getKey} />
            )
          ) : error ? (
            <QueryFailure error={error} method="explorer_getPendingTransactions" onRetry={refetch} />
          ) : (
            <SkeletonRows rows={5} label={t("loading.transactions")} />
          )}
        </Sheet>
      </div>
    </>
  );
}
