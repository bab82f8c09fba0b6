"use client";
/**
 * The logs that an address emitted, newest first, optionally filtered by topic. The filter is in the page's URL.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLogTable, getLogKey } from "@/components/address/AddressLogTable";
import { Icon } from "@/components/atoms/Icon";
import { TextField } from "@/components/atoms/TextField";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { FilterLinks } from "@/components/lists/FilterLinks";
import { ListSheet } from "@/components/lists/ListSheet";
import { eventSignatures, toName } from "@/lib/decode/selectors";
import { toAddressPath } from "@/lib/links";
import { addressLogsQuery } from "@/lib/query/explorerQueries";

const places = [0, 1, 2, 3] as const;
/** A line has room for the names of this many events. */
const mostEvents = 4;

/**
 * Parses a topic that the visitor typed. Pads an address to 32 bytes, and finds a known event by its name or signature.
 * Returns null for an empty field, which matches any topic, and undefined for invalid text.
 */
function findTopic(text: string, place: number): string | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "") return null;
  const events = place === 0 ? Object.entries(eventSignatures) : [];
  const event = events.find(([, signature]) =>
    [signature.toLowerCase(), signature.toLowerCase().split("(")[0]].includes(typed),
  );
  if (event) return event[0];
  if (/^0x[0-9a-f]{40}$/.test(typed)) return `0x${typed.slice(2).padStart(64, "0")}`;
  return /^0x[0-9a-f]{64}$/.test(typed) ? typed : undefined;
}

/** The query string for these topics. Empty if there is no topic to filter by. */
function toFilter(topics: (string | null | undefined)[]): string {
  const query = new URLSearchParams(topics.flatMap((topic, at) => (topic ? [[`topic${at}`, topic]] : [])));
  return query.size > 0 ? `?${query}` : "";
}

/** The first topics of the events that an address emits, most frequent in its latest logs first. */
function useEvents(address: string, current: string | null): string[] {
  const { data } = useQuery(addressLogsQuery(useSource(), address, []));
  const counts = new Map<string, number>();
  for (const { topics } of data?.items ?? []) {
    const topic = topics[0]?.toLowerCase() ?? "";
    if (topic in eventSignatures) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  const topics = [...counts].toSorted(([, one], [, other]) => other - one).map(([topic]) => topic);
  const shown = topics.slice(0, mostEvents);
  return current !== null && current in eventSignatures && !shown.includes(current) ? [...shown, current] : shown;
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
  const [event = null, ...indexed] = topics;
  const events = useEvents(address, event);
  return (
    <ListSheet
      id="logs"
      title="Logs"
      about="Events emitted by this address"
      {...(events.length > 1 && {
        bar: (
          <FilterLinks
            label="Filter by event"
            choices={[null, ...events].map((topic) => ({
              label: topic === null ? "All" : toName(eventSignatures[topic]!),
              path: `${path}${toFilter([topic, ...indexed])}`,
              isCurrent: topic === event,
              hint: topic === null ? undefined : eventSignatures[topic],
            }))}
          />
        ),
      })}
      filters={<TopicFilter path={path} topics={topics} />}
      query={addressLogsQuery(source, address, topics, cursor)}
      getKey={getLogKey}
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
      {(logs) => <AddressLogTable logs={logs} />}
    </ListSheet>
  );
}

function TopicFilter({ path, topics }: { path: string; topics: (string | null)[] }) {
  const isFiltered = topics.some((topic) => topic !== null);
  return (
    <details open={isFiltered} className="group border-line border-b open:border-b-0">
      <summary className="flex h-10 cursor-pointer select-none items-center justify-between px-4 text-13">
        Filter by topic
        <Icon name="down" className="text-ink-3 group-open:rotate-180" />
      </summary>
      <FilterForm
        path={path}
        action="Filter"
        clear={isFiltered ? "Clear" : undefined}
        fault="Enter a topic (0x + 64 hex), an address (0x + 40 hex), or the name of a well-known event."
        toPath={(form) => {
          const typed = places.map((place) => findTopic(String(form.get(`topic${place}`) ?? ""), place));
          return typed.includes(undefined) ? undefined : `${path}${toFilter(typed)}`;
        }}
      >
        {places.map((place) => (
          <TextField
            key={place}
            className="basis-32!"
            label={place === 0 ? "Topic 0 (event)" : `Topic ${place}`}
            name={`topic${place}`}
            defaultValue={topics[place] ?? ""}
            placeholder={place === 0 ? "Transfer or 0x…" : "address or topic"}
            list={place === 0 ? "known-events" : undefined}
          />
        ))}
        <datalist id="known-events" aria-label="Known events">
          {Object.entries(eventSignatures).map(([topic, signature]) => (
            <option key={topic} value={topic} label={signature} />
          ))}
        </datalist>
      </FilterForm>
    </details>
  );
}
