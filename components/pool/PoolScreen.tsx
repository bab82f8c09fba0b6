"use client";
/** The pool: when the next block comes, the transactions that wait for it in their order, and those that were dropped. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasPrice } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Method } from "@/components/atoms/Method";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { shownPending } from "@/components/pool/shownPending";
import { toSectionPath } from "@/lib/links";
import { developerQuery, poolQuery } from "@/lib/query/explorerQueries";
import { pendingTransactionsQuery } from "@/lib/query/queries";
import { latestBlockQuery } from "@/lib/query/transaction";
import type { PendingSummary } from "@/lib/query/wire";
import type { RpcResult } from "@/lib/rpc/methods";

type LeftRow = RpcResult<"explorer_getPool">["left"][number];

export function PoolScreen() {
  const source = useSource();
  const waiting = pendingTransactionsQuery(source, shownPending);
  const { data } = useQuery(waiting);
  return (
    <>
      <div className="page-title">
        <h1>Pool</h1>
        {data && (
          <p className="text-ink-2">
            {Number(data.pending)} pending, {Number(data.queued)} queued
          </p>
        )}
        <DataLinks method="explorer_getPendingTransactions" params={waiting.queryKey[2]} />
      </div>
      <NextBlock />
      <Sheet id="waiting" title="Waiting transactions">
        <QueryContent query={waiting} rows={4} label="Loading transactions">
          {({ items }) => <Waiting rows={items} />}
        </QueryContent>
      </Sheet>
      <Sheet id="left" title="Dropped and replaced">
        <QueryContent query={poolQuery(source)} rows={2}>
          {({ left }) =>
            left.length === 0 ? (
              <p className="px-4 py-3 text-ink-2">No transaction was dropped or replaced recently.</p>
            ) : (
              <DataTable caption="Dropped and replaced" columns={leftColumns} rows={left} getKey={(row) => row.hash} />
            )
          }
        </QueryContent>
      </Sheet>
    </>
  );
}

/** When a block is mined; null if this page can't know or change it. */
function useMining() {
  const { embedded } = useNetwork();
  const query = developerQuery(useSource());
  const { data } = useQuery({ ...query, enabled: embedded });
  return data;
}

function NextBlock() {
  const source = useSource();
  const { embedded } = useNetwork();
  const mining = useMining();
  const latest = latestBlockQuery(source);
  const { data: head } = useQuery(latest);
  return (
    <Sheet>
      <InfoList strip label="Next block" request={latest.queryKey}>
        <InfoRow label="Next block">{embedded ? toRhythm(mining) : "When the network mines it"}</InfoRow>
        <InfoRow label="Base fee" hint="A transaction with a lower max fee waits">
          {head?.baseFeePerGas ? (
            <GasPrice wei={BigInt(head.baseFeePerGas)} />
          ) : (
            <span className="text-ink-3">none</span>
          )}
        </InfoRow>
        <InfoRow label="Order" hint="One sender’s transactions go by nonce">
          Highest tip first
        </InfoRow>
      </InfoList>
    </Sheet>
  );
}

type Mining = ReturnType<typeof useMining>;

function toRhythm(mining: Mining): string {
  if (mining && mining.intervalSeconds > 0) return `Every ${mining.intervalSeconds} s`;
  return mining && !mining.automine ? "When you mine it" : "When a transaction arrives";
}

/** Rows come and go every second, so a few have reserved space: the content below stays in place. */
function Waiting({ rows }: { rows: PendingSummary[] }) {
  const { name } = useNetwork();
  const mining = useMining();
  return (
    <>
      <div className="max-h-120 min-h-26 overflow-y-auto max-md:min-h-36">
        {rows.length === 0 ? (
          <Empty title="No transactions are waiting">
            <p>
              A transaction waits here if a nonce before it is missing, its max fee is too low, or no block is mined.
            </p>
          </Empty>
        ) : (
          <DataTable caption="Waiting transactions" columns={waitingColumns} rows={rows} getKey={(row) => row.hash} />
        )}
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-13 text-ink-2">
        {mining ? (
          <>
            {mining.automine ? "To fill the pool, choose manual mining, then send transactions." : "Mining is manual."}
            <AppLink href={toSectionPath(name, "tools")} className="button">
              {mining.automine ? "Set mining to manual" : "Mine a block"}
            </AppLink>
            <AppLink href={toSectionPath(name, "accounts")} className="button">
              Send test funds
            </AppLink>
          </>
        ) : (
          <AppLink href={toSectionPath(name, "txs")} className="button">
            View mined transactions
          </AppLink>
        )}
      </p>
    </>
  );
}

function Reason({ row }: { row: PendingSummary }): ReactNode {
  const { data: head } = useQuery(latestBlockQuery(useSource()));
  if (row.poolStatus === "pending") return "Ready for the next block";
  if (row.missingNonce !== null) return `Waiting for nonce ${Number(row.missingNonce)}`;
  const isLow = head?.baseFeePerGas && BigInt(row.maxFeePerGas) < BigInt(head.baseFeePerGas);
  return isLow ? "Max fee below the base fee" : "Waiting for an earlier transaction";
}

const waitingColumns: Column<PendingSummary>[] = [
  { id: "hash", head: "Transaction", narrow: "lead", width: "md:w-44", cell: (row) => <TxLink hash={row.hash} /> },
  {
    id: "status",
    head: "Status",
    narrow: "below",
    width: "md:w-72",
    cell: (row) => (
      <span className="flex items-center gap-x-3">
        <Status name={row.poolStatus} />
        <span className="text-13 text-ink-2">
          <Reason row={row} />
        </span>
      </span>
    ),
  },
  { id: "from", head: "From", cell: (row) => <AddressLink address={row.from} /> },
  {
    id: "nonce",
    head: "Nonce",
    align: "right",
    width: "md:w-20",
    narrow: "trail",
    cell: (row) => (
      <>
        <span className="text-ink-3 md:hidden">nonce </span>
        {Number(row.nonce)}
      </>
    ),
  },
  {
    id: "method",
    head: "Method",
    width: "md:w-36 max-lg:hidden",
    cell: (row) => <Method selector={row.selector} name={row.method} creates={row.to === null} />,
  },
  {
    id: "maxFee",
    head: "Max fee",
    align: "right",
    width: "md:w-32 max-lg:hidden",
    cell: (row) => <GasPrice wei={BigInt(row.maxFeePerGas)} />,
  },
  {
    id: "seen",
    head: "Received",
    align: "right",
    width: "md:w-28",
    narrow: "belowTrail",
    cell: (row) => <Age timestamp={Math.floor(Number(row.seenAt) / 1000)} className="text-ink-2" />,
  },
];

const leftColumns: Column<LeftRow>[] = [
  { id: "hash", head: "Transaction", narrow: "lead", width: "md:w-44", cell: (row) => <TxLink hash={row.hash} /> },
  {
    id: "status",
    head: "Status",
    narrow: "trail",
    width: "md:w-32",
    cell: (row) => <Status name={row.status} />,
  },
  { id: "sender", head: "From", width: "md:w-48 max-lg:hidden", cell: (row) => <AddressLink address={row.from} /> },
  { id: "nonce", head: "Nonce", align: "right", width: "md:w-20", cell: (row) => Number(row.nonce) },
  {
    id: "reason",
    head: "Reason",
    narrow: "below",
    cell: (row) => <span title={row.reason ?? undefined}>{row.reason}</span>,
  },
  {
    id: "when",
    head: "When",
    align: "right",
    narrow: "belowTrail",
    width: "md:w-28",
    cell: (row) => <Age timestamp={Math.floor(Number(row.changedAt) / 1000)} className="text-ink-2" />,
  },
];
