"use client";
/**
 * The newest blocks, one tick each. A tick's height is the block's gas relative to the fullest block, and its color
 * shows finality. The ruler also has the live indicator and the pause switch.
 */
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type MouseEvent, memo, useMemo } from "react";
import { Age, useNow } from "@/components/atoms/Age";
import { Icon } from "@/components/atoms/Icon";
import { AppLink, isForBrowser } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { useLive, useLiveHeads } from "@/components/live/LiveProvider";
import { toBlockPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { finalizedBlockQuery, headNumberQuery, rulerLength, rulerQuery } from "@/lib/query/queries";
import { formatInteger } from "@/lib/units";

const connectionWords = {
  live: "Live",
  idle: "Live, idle",
  connecting: "Connecting",
  offline: "Offline",
};

export type Tick = { number: number; timestamp: number; gasUsed: number; transactions: number };

/** The newest blocks, oldest first. They come from the first response and then from the stream. */
export function useTicks(): Tick[] {
  const source = useSource();
  const { data } = useQuery(rulerQuery(source));
  const heads = useLiveHeads();
  return useMemo(() => {
    const byNumber = new Map<number, Tick>();
    for (const block of [...(data?.items ?? []), ...heads]) {
      byNumber.set(Number(block.number), {
        number: Number(block.number),
        timestamp: Number(block.timestamp),
        gasUsed: Number(block.gasUsed),
        transactions: Number(block.transactionCount),
      });
    }
    return [...byNumber.values()].sort((a, b) => a.number - b.number).slice(-rulerLength);
  }, [data, heads]);
}

export function Ruler() {
  const network = useNetwork();
  const source = useSource();
  const ticks = useTicks();
  const newest = ticks.at(-1);
  const { data: head } = useQuery(headNumberQuery(source));
  const { data: finalized } = useQuery(finalizedBlockQuery(source));
  const fullest = Math.max(1, ...ticks.map((tick) => tick.gasUsed));
  const finalNumber = finalized ? Number(finalized.number) : -1;
  return (
    <section aria-label="Newest blocks" className="border-line border-b bg-sunken">
      <div className="page-width flex h-9 items-stretch gap-4 max-sm:h-8">
        <p className="flex items-center gap-2 whitespace-nowrap text-13">
          <span className="label">Head</span>
          {head === undefined ? (
            <span className="skeleton w-16" />
          ) : (
            <AppLink href={toBlockPath(network.name, Number(head))} className="font-mono text-12">
              {Number(head)}
            </AppLink>
          )}
          {/* Without transactions, a chain has no new blocks. Genesis isn't made when the chain starts. */}
          {newest && newest.number > 0 && (
            <Age timestamp={newest.timestamp} className="min-w-15 text-12 text-ink-3 max-sm:hidden" />
          )}
          {ticks.length > 1 && (
            <span className="label ml-2 sm:ml-4">
              Gas<span className="max-sm:hidden"> used</span>
              <span className="max-lg:hidden"> in recent blocks</span>
              <span className="max-xl:hidden">, max {formatInteger(fullest)}</span>
            </span>
          )}
        </p>
        <Ticks ticks={ticks} finalNumber={finalNumber} fullest={fullest} />
        <LiveSwitch minedAt={newest?.timestamp} />
      </div>
    </section>
  );
}

/** Plain anchors with one click handler, because a hundred link components would slow down the start of every page. */
const Ticks = memo(function Ticks({
  ticks,
  finalNumber,
  fullest,
}: {
  ticks: Tick[];
  finalNumber: number;
  /** The most gas that one of the blocks used. */
  fullest: number;
}) {
  const network = useNetwork();
  const router = useRouter();
  function onClick(event: MouseEvent<HTMLDivElement>) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || isForBrowser(event, link)) return;
    event.preventDefault();
    router.push(link.pathname);
  }
  return (
    <div aria-hidden className="ruler" onClick={onClick}>
      {/* A single mark, such as genesis, would look like an error. */}
      {(ticks.length > 1 ? ticks : []).map((tick, place) => (
        <a
          // biome-ignore lint/suspicious/noArrayIndexKey: keying by block would move ticks and shift the layout
          key={place}
          tabIndex={-1}
          href={toBlockPath(network.name, tick.number)}
          title={`Block ${tick.number}: ${tick.transactions} ${plural(tick.transactions, "transaction")}, ${formatInteger(tick.gasUsed)} gas`}
          data-final={tick.number <= finalNumber || undefined}
          data-major={tick.number % 10 === 0 || undefined}
          data-empty={tick.transactions === 0 || undefined}
        >
          <span style={{ height: `${Math.round(12 + (88 * tick.gasUsed) / fullest)}%` }} />
        </a>
      ))}
    </div>
  );
});

/** A chain that mines on demand can have an old head. `minedAt` is the time of the newest block in seconds. */
function LiveSwitch({ minedAt }: { minedAt: number | undefined }) {
  const { connection, paused, waiting, setPaused } = useLive();
  const now = useNow();
  const isIdle = connection === "live" && minedAt !== undefined && now - minedAt >= 60;
  const word = paused
    ? waiting > 0
      ? `Paused, ${waiting} new`
      : "Paused"
    : connectionWords[isIdle ? "idle" : connection];
  const color = paused || connection === "offline" ? "text-warn" : connection === "live" ? "text-pos" : "text-ink-3";
  return (
    <button
      type="button"
      data-pause
      aria-pressed={paused}
      onClick={() => setPaused(!paused)}
      title={paused ? "Resume live updates (.)" : "Pause live updates (.)"}
      className="ml-auto flex min-w-24 items-center justify-end gap-1.5 whitespace-nowrap text-13"
    >
      {!paused && connection === "live" ? (
        <span aria-hidden className="size-2 rounded-full bg-pos" />
      ) : (
        !paused && <Icon name="alert" className={color} />
      )}
      <span className={`font-medium ${color}`}>{word}</span>
      <Icon name={paused ? "play" : "pause"} className="text-ink-2" />
    </button>
  );
}
