"use client";
/** One log: its topics and data, decoded if its interface is known. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { BytesView } from "@/components/trace/BytesView";
import { Readings } from "@/components/trace/DecodedView";
import type { Decoded } from "@/lib/decode/decoded";
import { findEventName } from "@/lib/decode/logs";
import type { WireLog } from "@/lib/query/wire";

export function LogItem({ log, readings }: { log: WireLog; readings: Decoded[] }) {
  const name = readings[0]?.name ?? findEventName(log);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="method mono" title="Index of the log in its block">
          {Number(log.logIndex)}
        </span>
        <h3 className="font-medium">{name ?? "Event"}</h3>
        <span className="text-ink-3">by</span>
        <AddressLink contract address={log.address} />
      </div>
      {readings.length > 0 && <Readings readings={readings} token={log.address} />}
      <details open={readings.length === 0}>
        <summary className="cursor-pointer text-13 text-ink-2">Topics and data</summary>
        <RawLog topics={log.topics} data={log.data} />
      </details>
    </div>
  );
}

export function RawLog({ topics, data }: { topics: readonly string[]; data: string }) {
  return (
    <dl className="decoded-values mt-1">
      {topics.map((topic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: topics have no other identity
        <div key={index}>
          <dt className="label">topic {index}</dt>
          <dd className="identifier min-w-0" data-lit={topic}>
            <Hash value={topic} />
            <Copy value={topic} what={`topic ${index}`} />
          </dd>
        </div>
      ))}
      <div>
        <dt className="label">data</dt>
        <dd className="min-w-0">
          <BytesView data={data} what="data" />
        </dd>
      </div>
    </dl>
  );
}
