"use client";
/**
 * The logs that an address emitted, newest first, optionally filtered by topic. The filter is in the page's URL. The
 * list doesn't move while someone is reading it.
 */
import { useMemo, useState } from "react";
import { Age } from "@/components/atoms/Age";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TextField } from "@/components/atoms/TextField";
import { TxLink } from "@/components/atoms/TxLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { ListSheet } from "@/components/lists/ListSheet";
import { LogRow } from "@/components/trace/LogRow";
import { useReadings } from "@/components/trace/useReadings";
import { eventSignatures } from "@/lib/decode/selectors";
import { toAddressPath } from "@/lib/links";
import { addressLogsQuery } from "@/lib/query/explorerQueries";
import type { WireLog } from "@/lib/query/wire";

const places = [0, 1, 2, 3] as const;

/**
 * Parses a topic that the visitor typed. Pads an address to 32 bytes. Returns null for an empty field, which matches
 * any topic, and undefined for invalid text.
 */
function findTopic(text: string): string | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "") return null;
  if (/^0x[0-9a-f]{40}$/.test(typed)) return `0x${typed.slice(2).padStart(64, "0")}`;
  return /^0x[0-9a-f]{64}$/.test(typed) ? typed : undefined;
}

/** The query string for these topics. Empty if there is no topic to filter by. */
function toFilter(topics: (string | null | undefined)[]): string {
  const query = new URLSearchParams(topics.flatMap((topic, at) => (topic ? [[`topic${at}`, topic]] : [])));
  return query.size > 0 ? `?${query}` : "";
}

/** `address` is in lowercase. `topics` are by position, and null matches any topic. */
export function AddressLogs({
  address,
  topics,
  cursor,
}: {
  address: `0x${string}`;
  topics: (string | null)[];
  cursor: string | undefined;
}) {
  const source = useSource();
  const path = `${toAddressPath(source.network, address)}/logs`;
  const filter = toFilter(topics);
  return (
    <ListSheet
      id="logs"
      title="Logs"
      filters={<TopicFilter path={path} topics={topics} />}
      query={addressLogsQuery(source, address, topics, cursor)}
      getKey={(log) => `${log.blockNumber}-${log.logIndex}`}
      path={`${path}${filter}`}
      cursor={cursor}
      empty={
        <Empty title="No logs">
          <p>
            {filter === ""
              ? "Events emitted by this address will appear here."
              : "Topic 0 is the hash of an event’s signature. Clear the filter to see every log from this address."}
          </p>
        </Empty>
      }
    >
      {(logs) => <LogList logs={logs} />}
    </ListSheet>
  );
}

/** New logs appear once they are decoded, because decoding changes a row's height. */
function LogList({ logs: newest }: { logs: WireLog[] }) {
  const items = useMemo(() => newest.map(({ topics, data }) => ({ kind: "event" as const, topics, data })), [newest]);
  const decoded = useReadings(items);
  const [{ logs, readings }, setShown] = useState({ logs: newest, readings: decoded });
  if (decoded && (logs !== newest || readings !== decoded)) setShown({ logs: newest, readings: decoded });
  return (
    <ol>
      {logs.map((log, index) => (
        <LogRow
          // biome-ignore lint/suspicious/noArrayIndexKey: keying by log would move elements and shift the layout
          key={index}
          isWide
          log={log}
          readings={readings?.[index] ?? []}
          place={
            <span className="flex min-w-0 items-center gap-x-3 text-13 text-ink-2 leading-6 *:last:ml-auto md:max-lg:*:last:ml-0">
              <TxLink hash={log.transactionHash} />
              <BlockLink number={Number(log.blockNumber)} />
              <Age timestamp={Number(log.blockTimestamp)} />
            </span>
          }
        />
      ))}
    </ol>
  );
}

function TopicFilter({ path, topics }: { path: string; topics: (string | null)[] }) {
  return (
    <FilterForm
      path={path}
      action="Filter"
      clear={topics.some((topic) => topic !== null) ? "Clear" : undefined}
      fault="Enter a topic (0x + 64 hex) or an address (0x + 40 hex)."
      toPath={(form) => {
        const typed = places.map((place) => findTopic(String(form.get(`topic${place}`) ?? "")));
        return typed.includes(undefined) ? undefined : `${path}${toFilter(typed)}`;
      }}
    >
      {places.map((place) => (
        <TextField
          key={place}
          className="basis-32!"
          label={`Topic ${place}`}
          name={`topic${place}`}
          defaultValue={topics[place] ?? ""}
          placeholder="any"
          list={place === 0 ? "known-events" : undefined}
        />
      ))}
      <datalist id="known-events" aria-label="Known events">
        {Object.entries(eventSignatures).map(([topic, signature]) => (
          <option key={topic} value={topic} label={signature} />
        ))}
      </datalist>
    </FilterForm>
  );
}
