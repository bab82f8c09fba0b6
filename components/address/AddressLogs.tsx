"use client";
/**
 * The logs of an address, newest first, filtered by topic. The filter is in the page's URL; the list does not move
 * while someone reads it.
 */
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useMemo, useState } from "react";
import { Age } from "@/components/atoms/Age";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { Pager } from "@/components/lists/Pager";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { HeldNotice } from "@/components/live/HeldNotice";
import { useHeld } from "@/components/live/useHeld";
import { LogItem } from "@/components/trace/LogItem";
import { useReadings } from "@/components/trace/useReadings";
import { eventSignatures } from "@/lib/decode/selectors";
import { toAddressPath } from "@/lib/links";
import { addressLogsQuery } from "@/lib/query/explorerQueries";
import type { WireLog } from "@/lib/query/wire";

const places = [0, 1, 2, 3] as const;

/** A topic as typed; an address is padded to a word. null for an empty field (any topic), undefined if invalid. */
function findTopic(text: string): string | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "") return null;
  if (/^0x[0-9a-f]{40}$/.test(typed)) return `0x${typed.slice(2).padStart(64, "0")}`;
  return /^0x[0-9a-f]{64}$/.test(typed) ? typed : undefined;
}

const none: WireLog[] = [];
const getKey = (log: WireLog) => `${log.blockNumber}-${log.logIndex}`;

/** address is in lowercase; topics are in order, and null matches any. */
export function AddressLogs({
  address,
  topics,
  cursor,
}: {
  address: `0x${string}`;
  topics: (string | null)[];
  cursor?: string;
}) {
  const source = useSource();
  const query = addressLogsQuery(source, address, topics, cursor);
  const { data, error, refetch } = useQuery(query);
  const path = `${toAddressPath(source.network, address)}/logs`;
  const filter = new URLSearchParams(topics.flatMap((topic, at) => (topic ? [[`topic${at}`, topic]] : [])));
  const held = useHeld(data?.items ?? none, getKey);
  return (
    <div {...held.surroundings} className="min-w-0">
      <Sheet
        id="logs"
        title="Logs, newest first"
        aside={
          <span className="flex flex-wrap items-center gap-4">
            <HeldNotice waiting={held.waiting} onRelease={held.release} />
            <DataLinks csv method="explorer_getLogs" params={query.queryKey[2]} />
          </span>
        }
      >
        <TopicFilter path={path} topics={topics} />
        {data ? (
          held.shown.length === 0 ? (
            <Empty title="No logs match">
              <p>
                {filter.size > 0
                  ? "Topic 0 is an event’s signature; clear the filter to see every log of this address."
                  : "Events emitted by this address will appear here."}
              </p>
            </Empty>
          ) : (
            <LogList logs={held.shown} />
          )
        ) : error ? (
          <QueryFailure error={error} method="explorer_getLogs" onRetry={refetch} />
        ) : (
          <SkeletonRows rows={8} label="Loading rows" />
        )}
        {data && <Pager path={filter.size > 0 ? `${path}?${filter}` : path} cursor={cursor} next={data.next} />}
      </Sheet>
    </div>
  );
}

function LogList({ logs }: { logs: WireLog[] }) {
  const items = useMemo(() => logs.map(({ topics, data }) => ({ kind: "event" as const, topics, data })), [logs]);
  const readings = useReadings(items);
  return (
    <ol>
      {logs.map((log, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an element that followed its log would shift the layout
        <li key={index} data-row className="border-line border-b px-4 py-3 last:border-b-0">
          <p className="mb-1 flex flex-wrap items-center gap-x-4 text-13 text-ink-2">
            <BlockLink number={Number(log.blockNumber)} />
            <Age timestamp={Number(log.blockTimestamp)} />
            <TxLink hash={log.transactionHash} />
          </p>
          <LogItem log={log} readings={readings?.[index] ?? []} />
        </li>
      ))}
    </ol>
  );
}

function TopicFilter({ path, topics }: { path: string; topics: (string | null)[] }) {
  const router = useRouter();
  const [isBad, setBad] = useState(false);

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = places.map((place) => findTopic(String(form.get(`topic${place}`) ?? "")));
    const isWrong = typed.some((topic) => topic === undefined);
    setBad(isWrong);
    if (isWrong) return;
    const query = new URLSearchParams(typed.flatMap((topic, at) => (topic ? [[`topic${at}`, topic]] : [])));
    router.push(query.size > 0 ? `${path}?${query}` : path);
  }

  return (
    <form className="filter-row" onSubmit={apply} action={path}>
      {places.map((place) => (
        <label key={place}>
          <span className="label">Topic {place}</span>
          <input
            className="field"
            name={`topic${place}`}
            defaultValue={topics[place] ?? ""}
            placeholder="any"
            autoComplete="off"
            spellCheck={false}
            {...(place === 0 ? { list: "known-events" } : {})}
          />
        </label>
      ))}
      <datalist id="known-events" aria-label="Known events">
        {Object.entries(eventSignatures).map(([topic, signature]) => (
          <option key={topic} value={topic} label={signature} />
        ))}
      </datalist>
      <button type="submit" className="button">
        Filter
      </button>
      {topics.some((topic) => topic !== null) && (
        <AppLink href={path} className="button">
          Clear
        </AppLink>
      )}
      {isBad && (
        <p role="alert" className="basis-full text-13 text-neg">
          A topic is 0x and 64 hex digits; an address may be given as 0x and 40.
        </p>
      )}
    </form>
  );
}
