"use client";
/**
 * Decoded RLP as a tree of named values. Numbers and times are repeated in readable form. Long zeros and bloom filters
 * are folded.
 */
import { type ReactNode, useState } from "react";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Copy } from "@/components/atoms/Copy";
import {
  CopiedHex,
  FieldList,
  FieldName,
  FieldRow,
  type FieldsLook,
  mostShortDigits,
  ReadHex,
  TypeRow,
} from "@/components/atoms/FieldList";
import { Hash } from "@/components/atoms/Hash";
import { RlpTransaction, toTransactionDigits } from "@/components/block/RlpTransaction";
import { entryFields, type Field, headerFields } from "@/components/block/rlpFields";
import { NamedAddress } from "@/components/transaction/RawFieldValue";
import { type RlpItem, toTransactionHash } from "@/lib/decode/rlp";
import { eventSignatures, toName } from "@/lib/decode/selectors";
import { findShownText, toBytes } from "@/lib/decode/words";
import { formatDate } from "@/lib/formatTime";
import { plural } from "@/lib/plural";
import { formatBytes, formatInteger } from "@/lib/units";

/** Lists with at most this many items are open, by name. */
const mostOpenItems: Record<string, number> = { transactions: 1, logs: 3, topics: 4 };
/** The maximum number of list items rendered; a block may have thousands. */
export const shownItems = 50;
/** Longer strings of zeros are folded. Hashes and addresses are shorter. */
const mostZeroDigits = 64;
/** The fields of headers and receipts that are numbers. */
const numberNames: ReadonlySet<string> = new Set([
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "baseFeePerGas",
  "blobGasUsed",
  "excessBlobGas",
  "cumulativeGasUsed",
  "status",
]);

/** `raw` is the encoding of the outermost list, and `type` is the transaction type before it. */
export function RlpTree({
  item,
  fields,
  raw,
  type,
}: {
  item: RlpItem;
  fields: readonly Field[];
  raw?: string;
  type?: number;
}) {
  if (typeof item.value === "string") return <Text digits={item.value} />;
  const items = item.value;
  if (items.length === 0) return <span className="text-ink-3">empty list</span>;
  const look: FieldsLook = fields.length === 0 ? "nested" : raw === undefined ? "inner" : "outer";
  return (
    <FieldList look={look}>
      {type !== undefined && <TypeRow type={type} />}
      {items.slice(0, shownItems).map((child, index) => {
        const [name, meaning] = fields[index] ?? [String(index)];
        if (raw !== undefined && name === "header") return <Header key={child.start} item={child} raw={raw} />;
        if (child.value.length > 0 && typeof child.value !== "string") {
          const list = { name, meaning, isNested: look === "nested" };
          return <List key={child.start} {...list} item={child} raw={raw} />;
        }
        return (
          <FieldRow key={child.start} name={name} meaning={meaning}>
            {typeof child.value === "string" ? (
              <Text digits={child.value} name={name} />
            ) : (
              <RlpTree item={child} fields={[]} />
            )}
          </FieldRow>
        );
      })}
      {items.length > shownItems && (
        <li className="col-span-full">
          <More count={items.length - shownItems} />
        </li>
      )}
    </FieldList>
  );
}

/** How many items aren't shown. */
const More = ({ count }: { count: number }) => count > 0 && <span className="text-ink-3">and {count} more</span>;

type ListProps = {
  item: RlpItem;
  raw: string | undefined;
  name: string;
  meaning: string | undefined;
  isNested: boolean;
};

/** A list that isn't empty. Items with fields of their own are below its name, and others are below its length. */
function List({ item, raw, name, meaning, isNested }: ListProps) {
  const entries = toEntries(item, raw, name);
  const count = item.value.length;
  const startsOpen = count <= (mostOpenItems[name] ?? 0);
  return (
    <li className="col-span-full grid grid-cols-subgrid">
      <FieldName name={name} meaning={meaning} />{" "}
      {entries ? (
        <span className="text-ink-2">list of {count}</span>
      ) : (
        <details
          open={startsOpen}
          className={`col-[2/-1] min-w-0 sm:row-start-1 ${isNested ? "" : "max-sm:col-span-full"}`}
        >
          <summary className="w-fit cursor-pointer text-ink-2">list of {count}</summary>
          <div className="mt-1">
            <RlpTree item={item} fields={[]} />
          </div>
        </details>
      )}
      {meaning && <span className="col-start-3 row-start-1 font-sans text-ink-2 max-lg:hidden">{meaning}</span>}
      {entries && (
        <div className="col-span-full mt-1 flex flex-col gap-y-1">
          {entries.map(({ key, label, content }) => (
            <Entry key={key} label={label} startsOpen={startsOpen}>
              {content}
            </Entry>
          ))}
          <More count={count - shownItems} />
        </div>
      )}
    </li>
  );
}

/** Only an open entry is rendered, because a block may have many, and a transaction's calldata is decoded by a request. */
function Entry({ label, startsOpen, children }: { label: ReactNode; startsOpen: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details
      open={isOpen}
      className="border-line border-l pl-4"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="w-fit cursor-pointer text-ink-2">{label}</summary>
      {isOpen && <div className="my-1">{children}</div>}
    </details>
  );
}

/** The items of a list that has names for their fields. */
function toEntries({ value }: RlpItem, raw: string | undefined, name: string) {
  if (typeof value === "string") return undefined;
  const shown = value.slice(0, shownItems);
  if (name === "transactions" && raw !== undefined) {
    return shown.map((item, index) => {
      const digits = toTransactionDigits(item, raw);
      const hash = toTransactionHash(digits);
      const label = (
        <>
          transaction {index} <Hash short value={hash} className="ml-1" />
        </>
      );
      return { key: item.start, label, content: <RlpTransaction key={hash} digits={digits} hash={hash} /> };
    });
  }
  const entry = entryFields[name];
  return (
    entry &&
    shown.map((item, index) => {
      const label = [`${entry.label} ${index}`, name === "logs" && findLogName(item)].filter(Boolean).join(", ");
      return { key: item.start, label, content: <RlpTree key={label} item={item} fields={entry.fields} /> };
    })
  );
}

/** The name of a log's event. */
function findLogName({ value: [, topics] }: RlpItem): string | undefined {
  const topic = typeof topics === "string" ? undefined : topics?.value[0];
  const digits = typeof topic === "string" ? undefined : topic?.value;
  const signature = eventSignatures[`0x${digits}`];
  return signature && toName(signature);
}

function Header({ item, raw }: { item: RlpItem; raw: string }) {
  return (
    <li className="col-span-full">
      <div className="flex items-center gap-x-4">
        <span className="text-ink-3">header</span>
        <span className="flex items-center gap-x-3 font-sans text-13 text-ink-2 max-sm:flex-1 max-sm:justify-between">
          {formatInteger((item.end - item.start) / 2)} B
          <Copy value={`0x${raw.slice(2 + item.start, 2 + item.end)}`} what="header RLP" quiet={false} />
        </span>
      </div>
      <div className="mt-1.5 border-line border-l pl-4">
        <RlpTree item={item} fields={headerFields} />
      </div>
    </li>
  );
}

/** The digits of a bloom filter mean nothing to a reader. */
const isFolded = (name: string, digits: RlpItem["value"]) => isZero(digits) || name === "logsBloom";

function toBitCount(digits: string): string {
  const count = [...BigInt(`0x${digits}`).toString(2)].filter((bit) => bit === "1").length;
  return `${count} ${plural(count, "bit")} set`;
}

const isZero = (digits: RlpItem["value"]) =>
  typeof digits === "string" && digits.length > mostZeroDigits && /^0+$/.test(digits);

function Text({ digits, name = "" }: { digits: string; name?: string }) {
  const bytes = formatBytes(digits.length / 2);
  if (digits === "") return <span className="text-ink-3">{numberNames.has(name) ? "0" : "empty"}</span>;
  if (name === "address") return <NamedAddress digits={digits} />;
  if (isFolded(name, digits)) {
    return (
      <details>
        <summary className="w-fit cursor-pointer text-ink-2">
          {bytes}, {isZero(digits) ? "all zero" : toBitCount(digits)}
        </summary>
        {/* In an element, because a closed details hides elements: its own text still has a position. */}
        <CopiedHex digits={digits} what={name || "bytes"}>
          <span>{`0x${digits}`}</span>
        </CopiedHex>
      </details>
    );
  }
  if (digits.length > mostWholeDigits) {
    return <Capped isLong all={bytes}>{`0x${digits}`}</Capped>;
  }
  const reading = findReading(name, digits);
  if (reading !== undefined || digits.length <= mostShortDigits) return <ReadHex digits={digits} reading={reading} />;
  // If there is no room for a hash and its button, it breaks into two lines of the same length.
  return (
    <CopiedHex digits={digits} what={name || "bytes"}>
      <span className="block max-[48rem]:max-w-[34.25ch]">{`0x${digits}`}</span>
    </CopiedHex>
  );
}

/** A number, a time or a text in readable form. */
function findReading(name: string, digits: string): string | undefined {
  if (name === "extraData") return findShownText(toBytes(digits), digits.length);
  if (!numberNames.has(name)) return undefined;
  const number = BigInt(`0x${digits}`);
  if (name === "timestamp") return formatDate(Number(number));
  if (name === "number") return number.toString();
  return `${formatInteger(number)}${name === "baseFeePerGas" ? " wei" : ""}`;
}
