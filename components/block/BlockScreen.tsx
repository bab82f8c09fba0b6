"use client";
/** The header of every block view: links to the previous and next blocks, the block's facts, and the tabs. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BlockFacts } from "@/components/block/BlockFacts";
import { blockTabs } from "@/components/block/blockTabs";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Neighbors } from "@/components/layout/Neighbors";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { toBlockPath } from "@/lib/links";
import { blockQuery, headNumberQuery } from "@/lib/query/queries";

export type BlockName = { number: number } | { hash: `0x${string}` };

const views = ["transactions", "receipts", "raw"] as const;
const viewPaths = { transactions: "", receipts: "/receipts", raw: "/raw" };

export function BlockScreen({ name, children }: { name: BlockName; children: ReactNode }) {
  const source = useSource();
  const query = blockQuery(source, name);
  const { data: block } = useQuery(query);
  const { data: head } = useQuery(headNumberQuery(source));
  const number = block ? Number(block.number) : "number" in name ? name.number : undefined;
  const path = toBlockPath(source.network, "number" in name ? name.number : name.hash);
  return (
    <>
      <div className="page-title max-sm:gap-x-3">
        <h1>{number === undefined ? "Block" : `Block ${number}`}</h1>
        {block && <DataLinks method="eth_getBlockByNumber" params={[block.number, true]} />}
        {block && <BlockNeighbors number={Number(block.number)} head={head === undefined ? undefined : Number(head)} />}
      </div>
      <QueryContent framed query={query} rows={8} label="Loading block">
        {(block) =>
          block ? (
            <>
              <BlockFacts block={block} request={query.queryKey} />
              <PageTabs
                tabs={views.map((view) => ({
                  label: blockTabs[view],
                  path: `${path}${viewPaths[view]}`,
                  count: view === "raw" ? undefined : block.transactions.length,
                }))}
              />
              {children}
            </>
          ) : (
            <BlockMissing name={name} head={head === undefined ? undefined : Number(head)} />
          )
        }
      </QueryContent>
    </>
  );
}

function BlockNeighbors({ number, head }: { number: number; head: number | undefined }) {
  const { name } = useNetwork();
  const toNeighbor = (other: number) => ({ path: toBlockPath(name, other), label: String(other) });
  return (
    <Neighbors
      label="Neighboring blocks"
      previous={number > 0 ? toNeighbor(number - 1) : undefined}
      next={head !== undefined && number < head ? toNeighbor(number + 1) : undefined}
      end={
        <span className="button" aria-disabled="true">
          Head
        </span>
      }
    />
  );
}

function BlockMissing({ name, head }: { name: BlockName; head: number | undefined }) {
  const network = useNetwork();
  const isFuture = "number" in name && head !== undefined && name.number > head;
  return (
    <Sheet>
      <Empty
        level="h2"
        icon="search"
        title={isFuture ? `Block ${name.number} doesn’t exist yet` : `Block not found on ${network.label}`}
      >
        <p>
          {isFuture
            ? `The latest block is ${head ?? 0}. This page updates when block ${name.number} is mined.`
            : `No block up to ${head ?? 0} has this hash.`}
        </p>
        {head !== undefined && (
          <AppLink href={toBlockPath(network.name, head)} className="button">
            Go to block {head}
          </AppLink>
        )}
      </Empty>
    </Sheet>
  );
}
