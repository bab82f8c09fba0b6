"use client";
/**
 * The transaction pool: when the next block is mined, the waiting transactions in order, and the transactions that were
 * dropped or replaced.
 */
import { useQuery } from "@tanstack/react-query";
import { GasPrice } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { DataTable } from "@/components/lists/DataTable";
import { QueryContent } from "@/components/lists/QueryContent";
import { listNonceGaps } from "@/components/pool/nonceGaps";
import { leftColumns, toWaitingColumns, type Wait } from "@/components/pool/poolColumns";
import { shownPending } from "@/components/pool/shownPending";
import { toValueShape } from "@/components/transaction/transactionColumns";
import { toConsolePath, toSectionPath } from "@/lib/links";
import { developerQuery, poolQuery } from "@/lib/query/explorerQueries";
import { pendingTransactionsQuery } from "@/lib/query/queries";
import { latestBlockQuery } from "@/lib/query/transaction";
import type { PendingSummary } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

export function PoolScreen() {
  const source = useSource();
  const waiting = pendingTransactionsQuery(source, shownPending);
  return (
    <>
      <div className="page-title">
        <h1>Transaction pool</h1>
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
              <p className="px-4 py-3 text-ink-2">No transactions have been dropped or replaced recently.</p>
            ) : (
              <DataTable caption="Dropped and replaced" columns={leftColumns} rows={left} getKey={(row) => row.hash} />
            )
          }
        </QueryContent>
      </Sheet>
    </>
  );
}

/** The settings that determine when blocks are mined. Null if dev controls are disabled. */
function useMining() {
  const { embedded } = useNetwork();
  const query = developerQuery(useSource());
  const { data } = useQuery({ ...query, enabled: embedded });
  return data;
}

function NextBlock() {
  const source = useSource();
  const waiting = pendingTransactionsQuery(source, shownPending);
  const { data: counts } = useQuery(waiting);
  const { name, embedded } = useNetwork();
  const mining = useMining();
  const latest = latestBlockQuery(source);
  const { data: head } = useQuery(latest);
  return (
    <Sheet>
      {/* The first fact is the longest. */}
      <div className="md:[&_.info-strip]:grid-cols-[minmax(0,1fr)_repeat(4,max-content)] lg:[&_.info-strip]:grid-cols-[minmax(0,3fr)_repeat(4,minmax(max-content,1fr))]">
        <InfoList strip label="Next block" request={latest.queryKey}>
          <InfoRow label="Next block">
            <span className="flex flex-wrap gap-x-3">
              {embedded ? toRhythm(mining) : "When the network mines it"}{" "}
              {mining && (
                <AppLink href={toSectionPath(name, "tools")} className="text-accent">
                  {mining.automine ? "Switch to manual mining" : "Mine a block"}
                </AppLink>
              )}
            </span>
          </InfoRow>
          <InfoRow label="Pending" hint="Transactions that a block can include" request={waiting.queryKey}>
            {counts && formatInteger(BigInt(counts.pending))}
          </InfoRow>
          <InfoRow label="Queued" hint="Transactions that wait for an earlier nonce" request={waiting.queryKey}>
            {counts && formatInteger(BigInt(counts.queued))}
          </InfoRow>
          <InfoRow label="Base fee" hint="Transactions with a max fee below this stay in the pool">
            {head?.baseFeePerGas ? (
              <GasPrice wei={BigInt(head.baseFeePerGas)} />
            ) : (
              <span className="text-ink-3">none</span>
            )}
          </InfoRow>
          <InfoRow
            label="Mining order"
            hint="The order in which blocks include pending transactions. One account’s transactions are in the order of their nonces"
          >
            Highest tip first
          </InfoRow>
        </InfoList>
      </div>
    </Sheet>
  );
}

type Mining = ReturnType<typeof useMining>;

function toRhythm(mining: Mining): string {
  if (mining && mining.intervalSeconds > 0) return `Automatic, every ${mining.intervalSeconds} s`;
  return mining && !mining.automine ? "Manual, when you mine it" : "Automatic, when a transaction arrives";
}

/** Space for two rows is always reserved, because rows come and go every second. */
function Waiting({ rows }: { rows: PendingSummary[] }) {
  const network = useNetwork();
  const source = useSource();
  const { data: view } = useQuery(poolQuery(source));
  const { data: head } = useQuery(latestBlockQuery(source));
  const isLow = ({ maxFeePerGas }: PendingSummary) => BigInt(maxFeePerGas) < BigInt(head?.baseFeePerGas ?? 0);
  function toWait(row: PendingSummary): Wait {
    const sender = view?.senders.find(({ address }) => address === row.from);
    const waiting = sender?.transactions.map((each) => Number(each.nonce)) ?? [];
    const earlier = rows.filter((each) => each.from === row.from && Number(each.nonce) < Number(row.nonce));
    return {
      gaps: sender ? listNonceGaps(Number(sender.nextNonce), Number(row.nonce), waiting) : [],
      low: isLow(row) ? "own" : earlier.some(isLow) ? "earlier" : undefined,
    };
  }
  return (
    <div
      className={`flex min-h-39 flex-col max-md:min-h-68 md:max-lg:min-h-47 max-[22rem]:min-h-82 ${rows.length === 0 ? "justify-center" : ""}`}
    >
      {rows.length === 0 ? (
        <NothingWaiting />
      ) : (
        <DataTable
          caption="Waiting transactions"
          columns={toWaitingColumns(toValueShape(network, rows), toWait)}
          rows={rows}
          getKey={(row) => row.hash}
        />
      )}
      {rows.length === 1 && (
        <div className="mt-auto border-line border-t px-4 py-2 text-13 text-ink-2">
          <WhyWaiting />
        </div>
      )}
    </div>
  );
}

/** A sentence or, on phones, which reserve more space, a list. */
function WhyWaiting() {
  return (
    <div className="md:*:inline md:[&_li]:inline">
      <p>
        A transaction waits if<span className="md:hidden">:</span>{" "}
      </p>
      <ul className="list-disc max-md:pl-5">
        <li>an earlier nonce is missing, </li>
        <li>its max fee is too low, or </li>
        <li>automatic mining is off.</li>
      </ul>
    </div>
  );
}

function NothingWaiting() {
  const { name } = useNetwork();
  return (
    <Empty title="The pool is empty">
      <WhyWaiting />
      <AppLink href={toConsolePath(name, "eth_sendTransaction")} className="button">
        Send a transaction
      </AppLink>
    </Empty>
  );
}
