"use client";
/** The pending transactions by sender and nonce, with missing nonces, and the transactions that were dropped. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { toNonceLine } from "@/components/pool/nonceLine";
import { toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { poolQuery } from "@/lib/query/explorerQueries";
import type { RpcResult } from "@/lib/rpc/methods";

type Pool = RpcResult<"explorer_getPool">;
type Sender = Pool["senders"][number];
type LeftRow = Pool["left"][number];

const leftColumns: Column<LeftRow>[] = [
  {
    id: "hash",
    head: "Transaction",
    narrow: "lead",
    width: "md:w-44",
    cell: (row) => <TxLink hash={row.hash} />,
  },
  {
    id: "status",
    head: "Status",
    narrow: "trail",
    width: "md:w-32",
    cell: (row) => <Status name={row.status} />,
  },
  { id: "sender", head: "Sender", width: "md:w-48 max-lg:hidden", cell: (row) => <AddressLink address={row.from} /> },
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
    narrow: "belowTrail",
    width: "md:w-28",
    cell: (row) => <Age timestamp={Math.floor(Number(row.changedAt) / 1000)} className="text-ink-2" />,
  },
];

export function PoolScreen() {
  const query = poolQuery(useSource());
  const { data } = useQuery(query);
  return (
    <>
      <div className="page-title">
        <h1>Pool</h1>
        {data && (
          <p className="text-ink-2">
            {Number(data.pending)} pending, {Number(data.queued)} queued
          </p>
        )}
        <DataLinks method="explorer_getPool" params={query.queryKey[2]} />
      </div>
      <QueryContent framed query={query} rows={6} label="Loading transactions">
        {({ senders, left }) => (
          <>
            <Sheet id="senders" title="By sender">
              {/* Senders change every second. As high as the empty state, so that the content below stays in place. */}
              <div className="max-h-96 min-h-44 overflow-y-auto max-sm:min-h-60">
                {senders.length === 0 ? <NothingWaits /> : <Senders senders={senders} />}
              </div>
            </Sheet>
            <Sheet id="left" title="Dropped and replaced">
              {left.length === 0 ? (
                <Empty title="No transactions dropped recently" />
              ) : (
                <DataTable
                  caption="Dropped and replaced"
                  columns={leftColumns}
                  rows={left}
                  getKey={(row) => row.hash}
                />
              )}
            </Sheet>
          </>
        )}
      </QueryContent>
    </>
  );
}

function Senders({ senders }: { senders: Sender[] }) {
  return (
    <ul>
      {senders.map((sender, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: keying by sender would move elements and shift the layout
        <li key={place} className="flex flex-col gap-2 border-line border-b px-4 py-3 last:border-b-0">
          <span className="flex flex-wrap items-center gap-x-4">
            <AddressLink full address={sender.address} />
            <span className="text-13 text-ink-2">next nonce {Number(sender.nextNonce)}</span>
            <span className="text-13 text-ink-2">{sender.transactions.length} queued</span>
          </span>
          <NonceLine sender={sender} />
        </li>
      ))}
    </ul>
  );
}

const nonceClass = "inline-flex items-center gap-1.5 rounded-sm border px-2 py-0.5 text-13";

function NonceLine({ sender }: { sender: Sender }) {
  const line = toNonceLine(
    Number(sender.nextNonce),
    sender.transactions.map(({ nonce }) => Number(nonce)),
  );
  return (
    <ol className="flex flex-wrap gap-1.5">
      {line.map((place) =>
        "missing" in place ? (
          <li key={`gap${place.missing[0]}`} className={`${nonceClass} border-warn border-dashed text-warn`}>
            Waiting for {plural(place.missing[1] - place.missing[0] + 1, "nonce")} {toSpan(place.missing)}
          </li>
        ) : (
          <li key={place.at} className={`${nonceClass} border-edge`}>
            <span className="text-ink-3">{place.nonce}</span>
            <TxLink hash={sender.transactions[place.at]!.hash} />
            <Status iconOnly name={sender.transactions[place.at]!.status} />
          </li>
        ),
      )}
    </ol>
  );
}

function toSpan([first, last]: readonly [number, number]): string {
  return first === last ? String(first) : `${first} – ${last}`;
}

function NothingWaits() {
  const network = useNetwork();
  return (
    <Empty title="No pending transactions">
      <p>
        {network.embedded
          ? "This chain mines a block as soon as a transaction can be included. Only transactions with a nonce gap or a fee below the base fee stay here."
          : "Transactions appear here until they are mined."}
      </p>
      <AppLink href={toSectionPath(network.name, "txs")} className="button">
        See mined transactions
      </AppLink>
    </Empty>
  );
}
