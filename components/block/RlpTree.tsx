"use client";
/** Decoded RLP as a tree of named values. Numbers and times are repeated in readable form, and long zeros are folded. */
import type { ReactNode } from "react";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Copy } from "@/components/atoms/Copy";
import { type Field, headerFields } from "@/components/block/rlpFields";
import { type RlpItem, typeMeaning } from "@/lib/decode/rlp";
import { findShownText, toBytes } from "@/lib/decode/words";
import { formatDate } from "@/lib/formatTime";
import { formatBytes, formatInteger } from "@/lib/units";

/** The maximum number of list items rendered; a block may have thousands. */
export const shownItems = 50;
/** Longer strings of zeros are folded. Hashes and addresses are shorter. */
const mostZeroDigits = 64;
/** Longer strings have no room beside their names on phones. */
const mostShortDigits = 16;
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
]);

/**
 * The columns are a name, its value and, on wide screens, its meaning. The values of the header, which is indented by 17
 * pixels, are below the block's.
 */
const columns = {
  outer:
    "grid-cols-[max-content_minmax(0,1fr)] sm:grid-cols-[calc(9.5rem+17px)_minmax(0,1fr)] lg:grid-cols-[calc(9.5rem+17px)_32rem_minmax(0,1fr)]",
  header:
    "grid-cols-[max-content_minmax(0,1fr)] sm:grid-cols-[9.5rem_minmax(0,1fr)] lg:grid-cols-[9.5rem_32rem_minmax(0,1fr)]",
  plain: "grid-cols-[2rem_minmax(0,1fr)]",
};

/** How many bytes of RLP there are, with a button that copies them. */
export function Size({ digits, what }: { digits: string; what: string }) {
  return (
    <span className="inline-flex items-center gap-3 font-sans text-13 text-ink-2">
      {formatBytes(digits.length / 2)} of RLP
      <Copy value={`0x${digits}`} what={what} quiet={false} />
    </span>
  );
}

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
  const look = fields.length === 0 ? "plain" : raw === undefined ? "header" : "outer";
  return (
    <ul className={`grid gap-x-4 gap-y-0.5 ${columns[look]}`}>
      {type !== undefined && (
        <Row name="type" meaning={typeMeaning}>
          {type}
        </Row>
      )}
      {items.slice(0, shownItems).map((child, index) => {
        const [name, meaning] = fields[index] ?? [String(index)];
        if (raw !== undefined && name === "header") {
          return (
            <li key={child.start} className="col-span-full">
              <div className="flex items-center gap-x-4">
                <span className="text-code">header</span>
                <Size digits={raw.slice(2 + child.start, 2 + child.end)} what="header RLP" />
              </div>
              <div className="mt-1 border-line border-l py-0.5 pl-4">
                <RlpTree item={child} fields={headerFields} />
              </div>
            </li>
          );
        }
        if (child.value.length > 0 && typeof child.value !== "string") {
          return (
            <li key={child.start} className="col-span-full">
              <details>
                <summary className="w-fit cursor-pointer py-0.5">
                  <span className="text-code">{name}</span>{" "}
                  <span className="text-ink-3">list of {child.value.length}</span>
                </summary>
                <div className="pl-4">
                  <RlpTree item={child} fields={[]} />
                </div>
              </details>
            </li>
          );
        }
        return (
          <Row
            key={child.start}
            name={name}
            meaning={meaning}
            isLong={fields.length > 0 && child.value.length > mostShortDigits && !isZero(child.value)}
          >
            {typeof child.value === "string" ? (
              <Text digits={child.value} name={name} />
            ) : (
              <RlpTree item={child} fields={[]} />
            )}
          </Row>
        );
      })}
      {items.length > shownItems && <li className="col-span-full text-ink-3">and {items.length - shownItems} more</li>}
    </ul>
  );
}

type RowProps = { name: string; meaning: string | undefined; isLong?: boolean; children: ReactNode };

/** If the value is long, it is below its name on phones. Narrow screens have no room for the meaning, only for a hint. */
function Row({ name, meaning, isLong = false, children }: RowProps) {
  return (
    <li className={`reveals col-span-full grid grid-cols-subgrid ${isLong ? "max-sm:my-1.5" : ""}`}>
      <span className={`wrap-anywhere text-code ${isLong ? "max-sm:col-span-full" : ""}`}>
        <span
          title={meaning}
          className={
            meaning && "decoration-edge decoration-dotted underline-offset-3 max-lg:cursor-help max-lg:underline"
          }
        >
          {name}
        </span>
      </span>{" "}
      <div className={`min-w-0 ${isLong ? "max-sm:col-span-full" : ""}`}>{children}</div>
      {meaning && <span className="font-sans text-ink-3 max-lg:hidden">{meaning}</span>}
    </li>
  );
}

const isZero = (digits: RlpItem["value"]) =>
  typeof digits === "string" && digits.length > mostZeroDigits && /^0+$/.test(digits);

function Text({ digits, name = "" }: { digits: string; name?: string }) {
  const bytes = formatBytes(digits.length / 2);
  if (digits === "") return <span className="text-ink-3">{numberNames.has(name) ? "0" : "empty"}</span>;
  if (isZero(digits)) {
    return (
      <details>
        <summary className="w-fit cursor-pointer text-ink-2">{bytes}, all zero</summary>
        {/* In an element, because a closed details hides elements: its own text still has a position. */}
        <span>{`0x${digits}`}</span>
      </details>
    );
  }
  if (digits.length > mostWholeDigits) {
    return <Capped isLong all={bytes}>{`0x${digits}`}</Capped>;
  }
  const reading = findReading(name, digits);
  if (reading !== undefined) {
    return (
      <span className="flex flex-wrap gap-x-3">
        <span>{`0x${digits}`}</span>
        <span className="text-ink-3">{reading}</span>
      </span>
    );
  }
  // If there is no room for a hash and its button, it breaks into two lines of the same length.
  return (
    <span className="flex items-start">
      <span className="max-[48rem]:max-w-[34.25ch]">{`0x${digits}`}</span>
      {digits.length > mostShortDigits && <Copy value={`0x${digits}`} what={name || "bytes"} />}
    </span>
  );
}

/** A number, a time or a text in readable form. */
function findReading(name: string, digits: string): string | undefined {
  if (name === "extraData") return findShownText(toBytes(digits), digits.length);
  if (!numberNames.has(name)) return undefined;
  const number = BigInt(`0x${digits}`);
  if (name === "timestamp") return formatDate(Number(number));
  return name === "number" ? number.toString() : formatInteger(number);
}
