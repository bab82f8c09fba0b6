"use client";
/**
 * A transaction's raw data: the signed RLP with the fields decoded from it, the receipt, the node's JSON, and commands
 * that send the transaction again.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { FieldList, FieldRow, TypeRow } from "@/components/atoms/FieldList";
import { Snippet } from "@/components/atoms/Snippet";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { toCast, toCurl, toViem } from "@/components/trace/copyAs";
import { useReading } from "@/components/trace/useReadings";
import { fieldMeanings, RawFieldValue, shownDigits, toShown } from "@/components/transaction/RawFieldValue";
import { toInputItem } from "@/components/transaction/transactionItems";
import { findWordNames } from "@/components/transaction/wordNames";
import { findRawFields, type RawField } from "@/lib/decode/rlp";
import { toRpcPath } from "@/lib/networks";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";
import { rawTransactionQuery } from "@/lib/query/transaction";
import type { WireTransaction } from "@/lib/query/wire";
import { formatBytes } from "@/lib/units";

const formHints = {
  curl: "Sends the signed transaction again. A chain accepts a transaction only once, so use this on a fork or after a reset.",
  cast: "Same call, same sender (needs an unlocked account).",
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
        {(raw) => (raw === null ? <NoBytes /> : <SignedBytes raw={raw} transaction={transaction} />)}
      </QueryContent>
      <CopyAs transaction={transaction} raw={raw ?? undefined} />
      {/* Side by side, they need room for a whole hash in a line. */}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 2xl:grid-cols-2 2xl:*:flex 2xl:*:flex-col">
        <Json id="raw-transaction" title="Transaction JSON" method="eth_getTransactionByHash" value={transaction} />
        {receipt && <Json id="raw-receipt" title="Receipt JSON" method="eth_getTransactionReceipt" value={receipt} />}
      </div>
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

/** Phones cap more digits: they wouldn't fit in the cap's height, and the fields would be on the second screen. */
const mostPhoneDigits = 460;

function SignedBytes({ raw, transaction }: { raw: string; transaction: WireTransaction }) {
  const [reading] = useReading(toInputItem(transaction));
  const wordNames = findWordNames(transaction.input, reading);
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
      <Capped
        isLong={digits.length > mostPhoneDigits}
        all={size}
        height={digits.length > mostWholeDigits ? "max-h-72" : "phone"}
      >
        <Bytes className="max-h-none px-4 py-3">
          {decoded ? (
            <Segments digits={digits} fields={decoded.fields} lit={lit} onLight={setLit} />
          ) : (
            digits.slice(0, shownDigits * 4)
          )}
        </Bytes>
      </Capped>
      {decoded ? (
        <FieldList className="border-line border-t px-4 py-2.5" onPointerLeave={() => setLit(undefined)}>
          <TypeRow type={decoded.type} />
          {decoded.fields.map((field) => (
            <FieldRow
              key={field.name}
              name={field.name}
              meaning={fieldMeanings[field.name]}
              className={`-mx-4 px-4 ${lit === field.name ? "bg-lit" : ""}`}
              onPointerEnter={() => setLit(field.name)}
            >
              <RawFieldValue {...field} wordNames={wordNames} />
            </FieldRow>
          ))}
        </FieldList>
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
      <span title="Type and length of the list">0x{digits.slice(0, start)}</span>
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

/** Longer hex is shown whole above, or says nothing to a reader: a bloom filter has 512 digits. */
const mostReadDigits = 300;

/** The ends of long bytes. No line breaks between them. */
function toFolded<Text extends string>(hex: Text): Text | `0x${string}` {
  return hex.length <= mostReadDigits || !hex.startsWith("0x") ? hex : `0x${hex.slice(2, 10)}…\u2060${hex.slice(-8)}`;
}

const forms = ["curl", "cast", "viem"] as const;

function CopyAs({ transaction, raw }: { transaction: WireTransaction; raw: string | undefined }) {
  const { origin, network } = useNetworkContext();
  const [chosen, setChosen] = useState<(typeof forms)[number]>("curl");
  const url = `${origin}${toRpcPath(network)}`;
  const form = raw === undefined && chosen === "curl" ? "cast" : chosen;
  const toCode = (bytes: string, of: WireTransaction) =>
    form === "curl" ? toCurl(bytes, url) : form === "cast" ? toCast(of, url) : toViem(of, url);
  const code = toCode(raw ?? "", transaction);
  const shown = toCode(toFolded(raw ?? ""), { ...transaction, input: toFolded(transaction.input) });
  return (
    <Sheet
      id="copy-as"
      title="Rebroadcast"
      aside={
        <span className="flex items-center gap-3">
          <Choices names={forms} chosen={form} onChoose={setChosen} disabled={raw === undefined ? "curl" : undefined} />
          <Copy value={code} what="command" quiet={false} />
        </span>
      }
    >
      <Snippet isWhole wraps code={code} shown={shown} />
      <p className="border-line border-t px-4 py-2 text-13 text-ink-2">
        {formHints[form]}
        {shown !== code && " The copy button copies the whole command."}
      </p>
    </Sheet>
  );
}

/** Longer JSON is capped. */
const mostWholeLines = 40;

function Json({ id, title, method, value }: { id: string; title: string; method: string; value: unknown }) {
  const code = JSON.stringify(value, null, 2);
  const shown = JSON.stringify(value, (_, each) => (typeof each === "string" ? toFolded(each) : each), 2);
  const lines = code.split("\n").length;
  return (
    <Sheet
      id={id}
      title={title}
      aside={
        // On phones, the method is below the title, so that the button is where those of the other sheets are.
        <span className="flex items-center gap-3 max-sm:contents">
          <span className="mono text-ink-3 max-sm:order-1 max-sm:basis-full">{method}</span>
          <Copy value={code} what={title} quiet={false} />
        </span>
      }
    >
      <div className="grow bg-sunken">
        <Capped isLong={lines > mostWholeLines} all={`${lines} lines`} height="max-h-120">
          <Snippet isWhole wraps code={code} shown={shown} />
        </Capped>
      </div>
      {shown !== code && (
        <p className="border-line border-t px-4 py-2 text-13 text-ink-2">
          Long values are shortened here. The copy button copies them whole.
        </p>
      )}
    </Sheet>
  );
}
