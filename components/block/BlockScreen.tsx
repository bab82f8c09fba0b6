"use client";
/** The header of every block view: links to its neighbors, the block's facts, and the tabs. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BlockMark } from "@/components/atoms/Hashmark";
import { Icon } from "@/components/atoms/Icon";
import { BlockFacts } from "@/components/block/BlockFacts";
import { blockTabs } from "@/components/block/blockTabs";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { toBlockPath } from "@/lib/links";
import { blockQuery, headNumberQuery } from "@/lib/query/queries";
import { toPercent } from "@/lib/units";

export type BlockName = { number: number } | { hash: `0x${string}` };

const views = ["transactions", "receipts", "raw"] as const;

function toSegment(name: BlockName): number | string {
  return "number" in name ? name.number : name.hash;
}

export function BlockScreen({ name, children }: { name: BlockName; children: ReactNode }) {
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
          {number === undefined ? "Block" : `Block ${number}`}
        </h1>
        {block && <DataLinks method="eth_getBlockByNumber" params={[block.number, true]} />}
        {number !== undefined && <Neighbours number={number} head={head === undefined ? undefined : Number(head)} />}
      </div>
      {block ? (
        <>
          <BlockFacts block={block} request={blockQuery(source, name).queryKey} />
          <PageTabs
            tabs={views.map((view) => ({
              label: blockTabs[view],
              path: `${toBlockPath(source.network, toSegment(name))}${view === "transactions" ? "" : `/${view}`}`,
            }))}
          />
          {children}
        </>
      ) : (
        <Sheet>
          {error ? (
            <QueryFailure error={error} method="eth_getBlockByNumber" onRetry={refetch} />
          ) : block === null ? (
            <BlockMissing name={name} head={head === undefined ? undefined : Number(head)} />
          ) : (
            <SkeletonRows rows={8} label="Loading block" />
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
    <nav aria-label="Neighbouring blocks" className="flex gap-2">
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
          Head
        </span>
      )}
    </nav>
  );
}

function BlockMissing({ name, head }: { name: BlockName; head: number | undefined }) {
  const network = useNetwork();
  const isFuture = "number" in name && head !== undefined && name.number > head;
  return (
    <Empty
      level="h2"
      icon="search"
      title={isFuture ? `Block ${name.number} is not there yet` : `No block on ${network.label} has this hash`}
    >
      <p>
        {isFuture
          ? `The head is block ${head ?? 0}. This page shows the block as soon as it is built.`
          : `Looked up by hash up to the head, block ${head ?? 0}.`}
      </p>
      {head !== undefined && (
        <AppLink href={toBlockPath(network.name, head)} className="button">
          Go to block {head}
        </AppLink>
      )}
    </Empty>
  );
}
