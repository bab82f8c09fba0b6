"use client";
/**
 * A transaction's raw data: the signed RLP with the fields decoded from it, the receipt, the node's JSON, and commands
 * that send the transaction again.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Snippet } from "@/components/atoms/Snippet";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { toCast, toCurl, toViem } from "@/components/trace/copyAs";
import { findRawFields, numberFields, type RawField } from "@/lib/decode/rlp";
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

/**
 * On phones, each value is below its name. Otherwise, the names' column is as wide as the longest name, so that a
 * 32-byte value has room beside it on a tablet.
 */
const fieldClass =
  "reveals grid grid-cols-[minmax(0,1fr)] gap-x-3 px-4 leading-5 max-sm:py-1 sm:grid-cols-[9.25rem_minmax(0,1fr)] sm:py-0.5 sm:leading-6 lg:gap-x-6";

/** These numbers are identifiers, so their digits aren't grouped. */
const identifiers: ReadonlySet<string> = new Set(["chainId", "nonce", "v", "yParity"]);

/** A field's value as text. Empty if it has no bytes or is a list. */
function toText({ name, item: { value } }: RawField): string {
  if (typeof value !== "string") return "";
  if (!numberFields.has(name)) return value && `0x${value}`;
  const number = BigInt(`0x${value || "0"}`);
  return identifiers.has(name) ? number.toString() : formatInteger(number);
}

/** Longer byte strings are capped. */
const mostWholeDigits = 2600;

function SignedBytes({ raw }: { raw: string }) {
  const decoded = findRawFields(raw);
  const [lit, setLit] = useState<string | undefined>(undefined);
  const digits = raw.slice(2);
  const size = formatBytes(digits.length / 2);
  return (
    <Sheet
      id="raw"
      title={`Signed transaction, ${size}`}
      aside={<Copy value={raw} what="signed bytes" quiet={false} />}
    >
      <Capped isLong={digits.length > mostWholeDigits} all={size}>
        <Bytes className="max-h-none px-4 py-3">
          {decoded ? (
            <Segments digits={digits} fields={decoded.fields} lit={lit} onLight={setLit} />
          ) : (
            digits.slice(0, shownDigits * 4)
          )}
        </Bytes>
      </Capped>
      {decoded ? (
        <dl className="mono min-w-0 border-line border-t py-2.5" onPointerLeave={() => setLit(undefined)}>
          <div className={fieldClass}>
            <dt className="text-ink-3">type</dt>
            <dd>{decoded.type}</dd>
          </div>
          {decoded.fields.map((field) => (
            <div
              key={field.name}
              className={`${fieldClass} ${lit === field.name ? "bg-lit" : ""}`}
              onPointerEnter={() => setLit(field.name)}
            >
              <dt className="wrap-anywhere text-ink-3">{field.name}</dt>
              <dd className="min-w-0">
                <Field {...field} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="border-line border-t p-4 text-ink-2">Unknown transaction type</p>
      )}
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

function Field(field: RawField) {
  const { name, item } = field;
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
    const text = toText(field);
    const digits = text.replaceAll(",", "");
    return (
      <span className="identifier">
        <span className="wrap-anywhere min-w-0">{text}</span>
        <Copy value={digits} what={digits === text ? name : `${name} as ${digits}`} />
      </span>
    );
  }
  if (value === "") return <span className="text-ink-3">none</span>;
  return (
    // The lines of a long value have the same length, so that no digit is alone on the last one.
    <span className="flex max-w-full items-start gap-1">
      <Capped isLong={value.length > mostWholeDigits} all={formatBytes(value.length / 2)}>
        <span
          className={`text-balance break-all ${value.length > mostWholeDigits ? "block bg-sunken px-3 py-2 leading-5" : ""}`}
        >{`0x${toShown(value)}`}</span>
      </Capped>
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
      <Snippet isWhole code={code} what="command" />
      <p className="px-4 py-2 text-13 text-ink-2">{formHints[form]}</p>
    </Sheet>
  );
}

/** Longer JSON is capped. */
const mostWholeLines = 40;

function Json({ id, title, method, value }: { id: string; title: string; method: string; value: unknown }) {
  const { name } = useNetwork();
  const code = JSON.stringify(value, null, 2);
  const lines = code.split("\n").length;
  return (
    <Sheet id={id} title={title} aside={<span className="mono text-ink-3">{`${name} · ${method}`}</span>}>
      <Capped isLong={lines > mostWholeLines} all={`${lines} lines`} height="max-h-120">
        <Snippet isWhole code={code} what={title} />
      </Capped>
    </Sheet>
  );
}
