"use client";
/**
 * The logs of a receipt: those we can read are read, and every one shows its topics and data.
 */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { TokenAmount } from "@/components/chain/Amount";
import { Hash } from "@/components/chain/Hash";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { findEventName, findTokenEvent, type TokenEvent } from "@/lib/decode/logs";
import { t } from "@/lib/messages/translate";
import type { WireLog } from "@/lib/query/wire";

export function TransactionLogs({ logs }: { logs: WireLog[] }) {
  return (
    <Sheet id="logs" title={t("logs.title", { count: logs.length })}>
      {logs.length === 0 ? (
        <Empty title={t("logs.none")} />
      ) : (
        <ol>
          {logs.map((log) => (
            <li key={log.logIndex} className="border-line border-b px-4 py-3 last:border-b-0">
              <LogItem log={log} />
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}

function LogItem({ log }: { log: WireLog }) {
  const event = findTokenEvent(log);
  const name = findEventName(log);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="method mono" title={t("logs.index")}>
          {Number(log.logIndex)}
        </span>
        <span className="font-medium">{name ?? t("logs.unknown")}</span>
        <span className="text-ink-3">{t("logs.by")}</span>
        <AddressLink contract address={log.address} />
      </div>
      {event && <EventFields event={event} />}
      <details>
        <summary className="cursor-pointer text-13 text-ink-2">{t("logs.raw")}</summary>
        <dl className="mt-1 grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4">
          {log.topics.map((topic, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a topic is its place
            <Field key={index} name={t("logs.topic", { index })}>
              <Hash value={topic} />
            </Field>
          ))}
          <Field name={t("logs.data")}>
            {log.data === "0x" ? (
              <span className="text-ink-3">{t("logs.noData")}</span>
            ) : (
              <span className="mono break-all">{log.data}</span>
            )}
          </Field>
        </dl>
      </details>
    </div>
  );
}

function EventFields({ event }: { event: TokenEvent }) {
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4">
      {event.kind === "transfer" && (
        <>
          <Field name="from">
            <AddressLink address={event.from} />
          </Field>
          <Field name="to">
            <AddressLink address={event.to} />
          </Field>
        </>
      )}
      {event.kind === "approval" && (
        <>
          <Field name="owner">
            <AddressLink address={event.owner} />
          </Field>
          <Field name="spender">
            <AddressLink address={event.spender} />
          </Field>
        </>
      )}
      {"amount" in event && (
        <Field name="value">
          <TokenAmount units={event.amount} token={event.token} />
        </Field>
      )}
      {"authorizer" in event && (
        <>
          <Field name="authorizer">
            <AddressLink address={event.authorizer} />
          </Field>
          <Field name="nonce">
            <Hash value={event.nonce} />
          </Field>
        </>
      )}
    </dl>
  );
}

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="label leading-6">{name}</dt>
      <dd className="min-w-0 leading-6">{children}</dd>
    </>
  );
}
