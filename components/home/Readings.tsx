"use client";
/**
 * The metrics on the start page: head, block time, gas price, throughput and pool. Block time and throughput are
 * computed from the blocks in the ruler.
 */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Age } from "@/components/atoms/Age";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { type Tick, useTicks } from "@/components/layout/Ruler";
import { formatDuration } from "@/lib/formatTime";
import { toBlockPath, toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { gasPriceQuery, headNumberQuery, pendingTransactionsQuery } from "@/lib/query/queries";
import { toDisplayAmount } from "@/lib/units";

/**
 * The median number of seconds between blocks, or undefined if there are fewer than two blocks. Skips genesis, because
 * its timestamp isn't the time when it was created.
 */
function findInterval(ticks: Tick[]): number | undefined {
  const times = ticks.filter((tick) => tick.number > 0).map((tick) => tick.timestamp);
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  return gaps.sort((a, b) => a - b)[gaps.length >> 1];
}

/**
 * Transactions per block on an embedded chain, and per second on other networks. An embedded chain mines on demand and
 * can be idle for any length of time, so transactions per second would be meaningless.
 */
function toThroughput(isEmbedded: boolean, transactions: number, ticks: Tick[]): { text: string; unit: string } {
  const built = ticks.filter((tick) => tick.number > 0);
  const seconds = (built.at(-1)?.timestamp ?? 0) - (built[0]?.timestamp ?? 0);
  const rate = transactions / Math.max(isEmbedded ? built.length : seconds, 1);
  const text = rate === 0 ? "0" : rate >= 10 ? rate.toFixed(0) : rate.toPrecision(2);
  return { text, unit: isEmbedded ? "per block" : "per second" };
}

/** With `isColumn`, the metrics are below each other on the widest screens. */
export function Readings({ isColumn = false }: { isColumn?: boolean }) {
  const network = useNetwork();
  const source = useSource();
  const ticks = useTicks();
  const { data: head } = useQuery(headNumberQuery(source));
  const { data: gasPrice } = useQuery(gasPriceQuery(source));
  const newest = ticks.at(-1);
  const transactions = ticks.reduce((sum, tick) => sum + tick.transactions, 0);
  const throughput = toThroughput(network.embedded, transactions, ticks);
  return (
    <dl
      className={`grid grid-cols-2 gap-px overflow-hidden sm:flex sm:flex-wrap rounded-sm border border-line bg-line ${isColumn ? "2xl:flex-col 2xl:flex-nowrap 2xl:[&>*]:basis-auto 2xl:[&>*]:py-2" : ""}`}
      aria-label="Readings"
    >
      <Reading
        label="Head block"
        note={newest && (newest.number === 0 ? "Genesis" : <Age timestamp={newest.timestamp} />)}
        value={head !== undefined && <AppLink href={toBlockPath(network.name, Number(head))}>{Number(head)}</AppLink>}
      />
      <BlockTimeReading interval={findInterval(ticks)} blocks={ticks.length} />
      <Reading
        label="Gas price"
        note="Base + priority fee"
        value={
          gasPrice !== undefined && (
            <>
              {toDisplayAmount(BigInt(gasPrice), 9, 4).text} <Unit>gwei</Unit>
            </>
          )
        }
      />
      <Reading
        label="Transactions"
        note={`${transactions} in ${ticks.length} ${plural(ticks.length, "block")}`}
        value={
          <>
            {throughput.text} <Unit>{throughput.unit}</Unit>
          </>
        }
      />
      <PoolReading />
    </dl>
  );
}

/** An embedded chain mines on demand, so its head may be old although most blocks followed each other quickly. */
function BlockTimeReading({ interval, blocks }: { interval: number | undefined; blocks: number }) {
  const { embedded } = useNetwork();
  const text = interval === undefined ? undefined : interval === 0 ? "< 1 s" : formatDuration(interval);
  return embedded ? (
    <Reading label="Block time" value="On demand" note={text && `Median gap ${text}`} />
  ) : (
    <Reading label="Block time" value={text ?? "–"} note={`Median of ${blocks} blocks`} />
  );
}

/** The number of pending transactions or, if there are only queued ones, their number. */
function PoolReading() {
  const source = useSource();
  const { data: pool } = useQuery(pendingTransactionsQuery(source));
  const [pending, queued] = [Number(pool?.pending ?? 0), Number(pool?.queued ?? 0)];
  const isQueuedFirst = pending === 0 && queued > 0;
  return (
    <Reading
      label="Pool"
      note={pool && (isQueuedFirst ? `${pending} pending` : `${queued} queued`)}
      value={
        pool && (
          <AppLink href={toSectionPath(source.network, "txpool")}>
            {isQueuedFirst ? queued : pending} <Unit>{isQueuedFirst ? "queued" : "pending"}</Unit>
          </AppLink>
        )
      }
    />
  );
}

function Reading({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    // On phones, the first is in a line above two rows of two.
    <div className="flex flex-[1_1_8rem] flex-col justify-center bg-surface px-4 py-3 md:max-lg:basis-0 md:max-lg:px-3 max-sm:first:col-span-2 max-sm:first:flex-row max-sm:first:items-baseline max-sm:first:justify-start max-sm:first:gap-x-3 max-sm:first:[&>:last-child]:ml-auto">
      <dt className="label">{label}</dt>
      <dd className="h-8 whitespace-nowrap font-medium text-20 leading-8">
        {value || <span className="skeleton w-20" />}
      </dd>
      <dd className="whitespace-nowrap text-12 text-ink-3">{note || "\u00a0"}</dd>
    </div>
  );
}

function Unit({ children }: { children: string }) {
  return <small className="font-normal text-13 text-ink-3">{children}</small>;
}
