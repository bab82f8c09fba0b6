"use client";
/** An address's logs as a table with their decoded arguments. New logs don't move the list while someone reads it. */
import { useMemo, useState } from "react";
import { BlockLink } from "@/components/atoms/BlockLink";
import { TxLink } from "@/components/atoms/TxLink";
import { AgeHead, ListedAge } from "@/components/lists/ageColumn";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { useFoldedRows } from "@/components/lists/useFoldedRows";
import { EventName, LogArguments, LogDetails, toLogLabel } from "@/components/trace/LogRow";
import { useReadings } from "@/components/trace/useReadings";
import type { Decoded } from "@/lib/decode/decoded";
import type { WireLog } from "@/lib/query/wire";

export const getLogKey = (log: WireLog) => `${log.blockNumber}-${log.logIndex}`;

/** A log with its decodings, which are undefined while the log is being decoded. */
type ReadLog = WireLog & { readings: Decoded[] | undefined };

/** Cells start at the top, beside an event's first argument. */
const top = "[td&]:md:align-top [td&]:leading-6";

const columns: Column<ReadLog>[] = [
  {
    id: "event",
    head: "Event",
    width: `md:w-36 lg:w-46 ${top}`,
    narrow: "lead",
    cell: (log) => (
      <span className="wrap-anywhere font-medium">
        <EventName log={log} readings={log.readings ?? []} />
      </span>
    ),
  },
  {
    id: "arguments",
    head: "Arguments",
    width: top,
    narrow: "below",
    cell: (log) => (
      <ul className="log-arguments">
        {log.readings ? <LogArguments log={log} readings={log.readings} /> : toPlaceholders(log)}
      </ul>
    ),
  },
  {
    id: "hash",
    head: "Transaction",
    width: `md:w-37 lg:w-34 ${top}`,
    cell: (log) => (
      <>
        <TxLink hash={log.transactionHash} />
        {/* Without columns of their own, block and age leave the arguments room for two columns. */}
        <span className="hidden flex-wrap gap-x-1.5 text-12 text-ink-2 leading-6 md:max-lg:flex">
          <span>
            block <BlockLink number={Number(log.blockNumber)} />
          </span>
          <ListedAge className="" timestamp={Number(log.blockTimestamp)} />
        </span>
      </>
    ),
  },
  {
    id: "block",
    head: "Block",
    width: `md:w-24 max-xl:hidden ${top}`,
    cell: (log) => <BlockLink number={Number(log.blockNumber)} />,
  },
  {
    id: "age",
    head: <AgeHead />,
    width: `lg:w-24 max-lg:hidden ${top}`,
    cell: (log) => <ListedAge timestamp={Number(log.blockTimestamp)} />,
  },
  {
    id: "place",
    head: "Transaction, block and age",
    width: "md:hidden",
    narrow: "trail",
    cell: (log) => (
      <span className="flex items-center gap-x-3 text-ink-2">
        <TxLink hash={log.transactionHash} />
        <span>
          block <BlockLink number={Number(log.blockNumber)} />
        </span>
        <ListedAge className="" timestamp={Number(log.blockTimestamp)} />
      </span>
    ),
  },
];

/** As many lines as the log has arguments, unless some are strings or lists. */
function toPlaceholders({ topics, data }: WireLog) {
  const count = Math.max(topics.length - 1, 0) + Math.floor((data.length - 2) / 64);
  return Array.from({ length: Math.min(Math.max(count, 1), 6) }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
    <li key={index} className="min-h-6">
      <span className="skeleton w-24 self-center" />
    </li>
  ));
}

/** New logs appear once they are decoded, because decoding changes a row's height. */
export function AddressLogTable({ logs: newest }: { logs: WireLog[] }) {
  const items = useMemo(() => newest.map(({ topics, data }) => ({ kind: "event" as const, topics, data })), [newest]);
  const decoded = useReadings(items);
  const [{ logs, readings }, setShown] = useState({ logs: newest, readings: decoded });
  if (decoded && (logs !== newest || readings !== decoded)) setShown({ logs: newest, readings: decoded });
  const { column, toNote } = useFoldedRows<ReadLog>({
    getKey: getLogKey,
    toLabel: toLogLabel,
    toDetails: (log) => <LogDetails log={log} readings={log.readings ?? []} />,
    narrow: "belowTrail",
  });
  return (
    <DataTable
      caption="Logs"
      columns={[...columns, { ...column, width: `${column.width} ${top}` }]}
      rows={logs.map((log, index) => ({ ...log, readings: readings?.[index] }))}
      getKey={getLogKey}
      toNote={toNote}
      stacked
    />
  );
}
