"use client";
/**
 * A block's page: the way to its neighbours, its header, its transactions.
 */
import { useQuery } from "@tanstack/react-query";
import { BlockMark } from "@/components/chain/Hashmark";
import { Icon } from "@/components/chain/Icon";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { BlockFacts } from "@/components/explorer/BlockFacts";
import { QueryFailure } from "@/components/explorer/QueryFailure";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { TransactionList } from "@/components/explorer/TransactionList";
import { toTransactionColumns } from "@/components/explorer/transactionColumns";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { toBlockPath } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import { blockQuery, blockTransactionsQuery, headNumberQuery, pageSize } from "@/lib/query/queries";
import type { WireBlock } from "@/lib/query/wire";
import { toPercent } from "@/lib/units";

export type BlockName = { number: number } | { hash: `0x${string}` };

export function BlockScreen({ name, cursor }: { name: BlockName; cursor?: string }) {
  const source = useSource();
  const { data: block, error, refetch } = useQuery(blockQuery(source, name));
  const { data: head } = useQuery(headNumberQuery(source));
  const number = block ? Number(block.number) : "number" in name ? name.number : undefined;
  const percent = block ? toPercent(BigInt(block.gasUsed), BigInt(block.gasLimit)) : 0;
  return (
    <>
      <div className="page-title">
        <h1 className="flex items-center gap-3">
          <BlockMark percent={percent} size={20} />
          {number === undefined ? t("block.title") : t("block.titleNumber", { number })}
        </h1>
        {number !== undefined && <Neighbours number={number} head={head === undefined ? undefined : Number(head)} />}
      </div>
      {block ? (
        <>
          <BlockFacts block={block} />
          <BlockTransactions block={block} cursor={cursor} />
        </>
      ) : (
        <Sheet>
          {error ? (
            <QueryFailure error={error} method="eth_getBlockByNumber" onRetry={refetch} />
          ) : block === null ? (
            <BlockMissing name={name} head={head === undefined ? undefined : Number(head)} />
          ) : (
            <SkeletonRows rows={8} label={t("loading.block")} />
          )}
        </Sheet>
      )}
    </>
  );
}

function Neighbours({ number, head }: { number: number; head: number | undefined }) {
  const network = useNetwork();
  const hasNext = head !== undefined && number < head;
  return (
    <nav aria-label={t("block.neighbours")} className="flex gap-2">
      {number > 0 && (
        <AppLink href={toBlockPath(network.name, number - 1)} className="button" data-previous aria-keyshortcuts="[">
          <Icon name="left" />
          {number - 1}
        </AppLink>
      )}
      {hasNext ? (
        <AppLink href={toBlockPath(network.name, number + 1)} className="button" data-next aria-keyshortcuts="]">
          {number + 1}
          <Icon name="right" />
        </AppLink>
      ) : (
        <span className="button" aria-disabled="true">
          {t("block.isHead")}
        </span>
      )}
    </nav>
  );
}

function BlockTransactions({ block, cursor }: { block: WireBlock; cursor: string | undefined }) {
  const source = useSource();
  const result = useQuery(blockTransactionsQuery(source, block.number, cursor));
  const count = block.transactions.length;
  return (
    <TransactionList
      title={t("block.transactions", { count })}
      result={result}
      method="explorer_getBlockTransactions"
      columns={toTransactionColumns({ inBlock: true })}
      rows={Math.min(count, pageSize)}
      path={toBlockPath(source.network, Number(block.number))}
      cursor={cursor}
      empty={<Empty title={t("block.empty")} />}
    />
  );
}

function BlockMissing({ name, head }: { name: BlockName; head: number | undefined }) {
  const network = useNetwork();
  const isFuture = "number" in name && head !== undefined && name.number > head;
  return (
    <Empty
      level="h2"
      icon="search"
      title={isFuture ? t("block.future", { number: name.number }) : t("block.missing", { network: network.label })}
    >
      <p>{isFuture ? t("block.futureHint", { head: head ?? 0 }) : t("block.missingHint", { head: head ?? 0 })}</p>
      {head !== undefined && (
        <AppLink href={toBlockPath(network.name, head)} className="button">
          {t("block.toHead", { head })}
        </AppLink>
      )}
    </Empty>
  );
}
