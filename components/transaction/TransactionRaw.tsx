"use client";
/**
 * A transaction's raw data: the signed RLP with the fields decoded from it, the receipt, the node's JSON, and commands
 * that send the transaction again.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Snippet } from "@/components/atoms/Snippet";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { toCast, toCurl, toViem } from "@/components/trace/copyAs";
import { findRawFields, numberFields, type RawField, type RlpItem } from "@/lib/decode/rlp";
import { toRpcPath } from "@/lib/networks";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";
import { rawTransactionQuery } from "@/lib/query/transaction";
import type { WireTransaction } from "@/lib/query/wire";
import { formatBytes, formatInteger } from "@/lib/units";

const formHints = {
  curl: "Sends the signed transaction again. A chain accepts a transaction only once, so use this on a fork or after a reset.",
  cast: "Same call, same sender (needs an unlocked account)",
  viem: "Same call from your own account.",
};

export function TransactionRaw({ hash }: { hash: string }) {
  const source = useSource();
  const { data: transaction } = useQuery(transactionQuery(source, hash));
  const { data: receipt } = useQuery(receiptQuery(source, hash));
  const query = rawTransactionQuery(source, hash);
  const { data: raw } = useQuery(query);
  if (!transaction) return null;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <QueryContent framed query={query} rows={6} label="Loading transaction">
        {(raw) => (raw === null ? <NoBytes /> : <SignedBytes raw={raw} />)}
      </QueryContent>
      <CopyAs transaction={transaction} raw={raw ?? undefined} />
      <Json id="raw-transaction" title="Transaction JSON" method="eth_getTransactionByHash" value={transaction} />
      {receipt && <Json id="raw-receipt" title="Receipt JSON" method="eth_getTransactionReceipt" value={receipt} />}
    </div>
  );
}

function NoBytes() {
  return (
    <Sheet>
      <Empty level="h2" title="The node doesn’t have this transaction’s bytes" />
    </Sheet>
  );
}

/** Longer payloads are truncated in the middle for display. */
const shownDigits = 2000;

const fieldClass =
  "reveals grid grid-cols-[minmax(0,1fr)] gap-x-4 px-4 py-0.5 leading-6 sm:grid-cols-[9rem_minmax(0,1fr)]";

function SignedBytes({ raw }: { raw: string }) {
  const decoded = findRawFields(raw);
  const [lit, setLit] = useState<string | undefined>(undefined);
  const digits = raw.slice(2);
  return (
    <Sheet
      id="raw"
      title={`Signed transaction, ${formatBytes(digits.length / 2)}`}
      aside={<Copy value={raw} what="signed bytes" quiet={false} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
        <Bytes className="max-h-120 px-4 py-3 md:max-h-240">
          {decoded ? (
            <Segments digits={digits} fields={decoded.fields} lit={lit} onLight={setLit} />
          ) : (
            digits.slice(0, shownDigits * 4)
          )}
        </Bytes>
        {decoded ? (
          <dl
            className="max-h-240 min-w-0 overflow-auto border-line py-2.5 max-md:border-t md:border-l"
            onPointerLeave={() => setLit(undefined)}
          >
            <div className={fieldClass}>
              <dt className="label leading-6">type</dt>
              <dd>{decoded.type}</dd>
            </div>
            {decoded.fields.map(({ name, item }) => (
              <div
                key={name}
                className={`${fieldClass} ${lit === name ? "bg-lit" : ""}`}
                onPointerEnter={() => setLit(name)}
              >
                <dt className="label wrap-anywhere leading-6">{name}</dt>
                <dd className="min-w-0">
                  <Field name={name} item={item} />
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="p-4 text-ink-2">Unknown transaction type</p>
        )}
      </div>
    </Sheet>
  );
}

function Segments({
  digits,
  fields,
  lit,
  onLight,
}: {
  digits: string;
  fields: RawField[];
  lit: string | undefined;
  onLight: (name: string | undefined) => void;
}) {
  const start = fields[0]?.item.start ?? 0;
  return (
    <>
      <span className="text-ink-3" title="Type and length of the list">
        0x{digits.slice(0, start)}
      </span>
      {fields.map(({ name, item }) => (
        <span
          key={name}
          title={name}
          className={lit === name ? "bg-lit" : undefined}
          onPointerEnter={() => onLight(name)}
        >
          {toShown(digits.slice(item.start, item.end))}
        </span>
      ))}
    </>
  );
}

function toShown(digits: string): string {
  return digits.length <= shownDigits ? digits : `${digits.slice(0, shownDigits)}…${digits.slice(-64)}`;
}

/** Longer fields have a scrolling box. */
const mostInlineDigits = 640;

/** These numbers are identifiers, so their digits aren't grouped. */
const identifiers: ReadonlySet<string> = new Set(["chainId", "nonce", "v", "yParity"]);

function Field({ name, item }: { name: string; item: RlpItem }) {
  const { value } = item;
  if (typeof value !== "string") {
    return value.length === 0 ? (
      <span className="text-ink-3">empty</span>
    ) : (
      <ol className="border-line border-l pl-3">
        {value.map((inner) => (
          <li key={inner.start}>
            <Field name={name} item={inner} />
          </li>
        ))}
      </ol>
    );
  }
  if (numberFields.has(name)) {
    const number = BigInt(`0x${value || "0"}`);
    return (
      <span className="identifier">
        <span className="break-all">{identifiers.has(name) ? number.toString() : formatInteger(number)}</span>
        <Copy value={number.toString()} what={name} />
      </span>
    );
  }
  if (value === "") return <span className="text-ink-3">none</span>;
  return (
    <span className="inline-flex max-w-full items-start gap-1">
      {value.length > mostInlineDigits ? (
        <Bytes>0x{toShown(value)}</Bytes>
      ) : (
        <span className="mono break-all">0x{toShown(value)}</span>
      )}
      <Copy value={`0x${value}`} what={name} />
    </span>
  );
}

const forms = ["curl", "cast", "viem"] as const;

function CopyAs({ transaction, raw }: { transaction: WireTransaction; raw: string | undefined }) {
  const { origin, network } = useNetworkContext();
  const [chosen, setChosen] = useState<(typeof forms)[number]>("curl");
  const url = `${origin}${toRpcPath(network)}`;
  const form = raw === undefined && chosen === "curl" ? "cast" : chosen;
  const code =
    form === "curl" ? toCurl(raw ?? "", url) : form === "cast" ? toCast(transaction, url) : toViem(transaction, url);
  return (
    <Sheet
      id="copy-as"
      title="Rebroadcast"
      aside={
        <Choices names={forms} chosen={form} onChoose={setChosen} disabled={raw === undefined ? "curl" : undefined} />
      }
    >
      <Snippet code={code} what="command" />
      <p className="px-4 py-2 text-13 text-ink-2">{formHints[form]}</p>
    </Sheet>
  );
}

function Json({ id, title, method, value }: { id: string; title: string; method: string; value: unknown }) {
  const { name } = useNetwork();
  return (
    <Sheet id={id} title={title} aside={<span className="mono text-ink-3">{`${name} · ${method}`}</span>}>
      <Snippet code={JSON.stringify(value, null, 2)} what={title} />
    </Sheet>
  );
}
