"use client";
/** One log as a row: the event's name and arguments. Expanding the row shows the signature, topics and data. */
import type { ReactNode } from "react";
import { Hash } from "@/components/atoms/Hash";
import { WordRow } from "@/components/atoms/WordRow";
import { FoldRow } from "@/components/lists/FoldRow";
import { BytesView } from "@/components/trace/BytesView";
import { Readings, Signature, Value } from "@/components/trace/DecodedView";
import { toChecksumAddress } from "@/lib/address";
import type { Decoded } from "@/lib/decode/decoded";
import { findEventName } from "@/lib/decode/logs";
import { findNamedToken } from "@/lib/decode/meanings";
import type { WireLog } from "@/lib/query/wire";
import { formatBytes } from "@/lib/units";

/** `place` is shown before the event: the log's index and its contract. `startsOpen` shows the details at once. */
export function LogRow({
  log,
  readings,
  place,
  startsOpen = false,
}: {
  log: WireLog;
  readings: Decoded[];
  place: ReactNode;
  startsOpen?: boolean;
}) {
  return (
    <FoldRow
      label={toLogLabel(log)}
      startsOpen={startsOpen}
      details={() => <LogDetails unsigned log={log} readings={readings} />}
    >
      <div className="log-row">
        {place}
        <h3 className="wrap-anywhere font-medium">
          <EventName log={log} readings={readings} />
        </h3>
        {/* An open row has it in place of the name. */}
        {readings[0] && <Signature decoded={readings[0]} />}
        <ul className="log-arguments">
          <LogArguments log={log} readings={readings} />
        </ul>
        {/* Wide screens have room for the whole address of the contract in an open row. */}
        <span className="log-emitter text-12 text-ink-3">
          emitted by <Hash value={toChecksumAddress(log.address)} />
        </span>
      </div>
    </FoldRow>
  );
}

type Read = { log: WireLog; readings: Decoded[] };

export const toLogLabel = (log: WireLog) => `Signature, topics and data of log ${Number(log.logIndex)}`;

/** The topics and data repeat the decoded values. `unsigned` is set if the row has the signature. */
export function LogDetails({ log, readings, unsigned = false }: Read & { unsigned?: boolean }) {
  return (
    <div className="log-details flex min-w-0 flex-col gap-2">
      <Readings readings={readings} token={log.address} unsigned={unsigned} />
      {readings.length === 0 ? (
        <RawLog topics={log.topics} data={log.data} />
      ) : (
        <details>
          <summary className="w-fit cursor-pointer text-13 text-ink-2 leading-6">Topics and data</summary>
          <RawLog topics={log.topics} data={log.data} />
        </details>
      )}
    </div>
  );
}

export function EventName({ log, readings: [reading] }: Read) {
  const name = reading?.name ?? findEventName(log);
  if (name !== undefined) return name;
  return <span className="text-ink-2">{log.topics.length === 0 ? "Anonymous event" : "Unknown event"}</span>;
}

/** A log's arguments as list items. */
export function LogArguments({ log, readings: [reading] }: Read) {
  if (!reading) return toRawArguments(log);
  const token = findNamedToken(reading.values) ?? log.address;
  return reading.values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values have no other identity
    <Argument key={index} name={value.name || String(index)} type={value.type}>
      <Value compact value={value} token={token} />
    </Argument>
  ));
}

function Argument({ name, type, children }: { name: string; type: string; children: ReactNode }) {
  return (
    <li className="min-w-0 max-w-full items-center gap-x-1.5">
      <span className="text-ink-3" title={type}>
        {name}
      </span>
      {children}
    </li>
  );
}

/**
 * Shows a log that can't be decoded: the first topic, which identifies the event, and the data. Data longer than one
 * word is shown only as its size.
 */
function toRawArguments({ topics: [topic], data }: WireLog): ReactNode {
  return (
    <>
      {topic !== undefined && (
        <Argument name="topic 0" type="bytes32">
          <Hash short value={topic} />
        </Argument>
      )}
      {data !== "0x" && (
        <Argument name="data" type="bytes">
          {data.length <= 66 ? <Hash short value={data} /> : formatBytes((data.length - 2) / 2)}
        </Argument>
      )}
    </>
  );
}

export function RawLog({ topics, data }: { topics: readonly string[]; data: string }) {
  return (
    <dl className="decoded-values mt-1">
      {topics.map((topic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: topics have no other identity
        <WordRow isLit key={index} name={`topic ${index}`} value={topic} />
      ))}
      {/* The controls are taller than a line of text. */}
      <div className={data === "0x" ? "" : "mt-1!"}>
        <dt className={`label ${data === "0x" ? "" : "leading-7!"}`}>data</dt>
        <dd className="min-w-0">
          <BytesView data={data} what="data" />
        </dd>
      </div>
    </dl>
  );
}
