"use client";
/**
 * A block's consensus encoding, as bytes and decoded: the RLP of the block, with its header, and of its receipts.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import type { BlockName } from "@/components/block/BlockScreen";
import { headerFields } from "@/components/block/headerFields";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { findRlp, type RlpItem } from "@/lib/decode/rlp";
import { formatDate } from "@/lib/formatTime";
import { rawQuery, rawReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery } from "@/lib/query/queries";
import { formatBytes, formatInteger } from "@/lib/units";

const titles = { decoded: "Decoded", encoded: "Encoded" };

const bodyFields = ["header", "transactions", "ommers", "withdrawals"];
/** The maximum number of list items rendered; a block may have thousands. */
const shownItems = 50;

export function BlockRaw({ name }: { name: BlockName }) {
  const source = useSource();
  const { data: block } = useQuery(blockQuery(source, name));
  if (!block) return null;
  return (
    <>
      <Sheet id="block" title="Block" aside={<DataLinks method="debug_getRawBlock" params={[block.number]} />}>
        <QueryContent query={rawQuery(source, block.number)} rows={6}>
          {(raw) => <Encoded raw={raw} names={bodyFields} />}
        </QueryContent>
      </Sheet>
      <RawReceipts
        number={block.number}
        hashes={block.transactions.map((each) => (typeof each === "string" ? each : each.hash))}
      />
    </>
  );
}

/** `hashes` are those of the block's transactions. */
function RawReceipts({ number, hashes }: { number: `0x${string}`; hashes: readonly string[] }) {
  return (
    <Sheet id="receipts" title="Receipts" aside={<DataLinks method="debug_getRawReceipts" params={[number]} />}>
      <QueryContent query={rawReceiptsQuery(useSource(), number)} rows={6}>
        {(receipts) =>
          receipts.length === 0 ? (
            <Empty title="The block has no receipts" />
          ) : (
            receipts.slice(0, shownItems).map((raw, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: receipts never move
              <details key={index} open={receipts.length === 1} className="border-line border-b last:border-b-0">
                <summary className="cursor-pointer px-4 py-2 text-13">
                  Receipt {index}
                  <span className="text-ink-2">
                    {" of "}
                    <Hash short value={hashes[index] ?? ""} />
                  </span>
                </summary>
                <Encoded raw={raw} names={["status", "cumulativeGasUsed", "logsBloom", "logs"]} />
              </details>
            ))
          )
        }
      </QueryContent>
    </Sheet>
  );
}

/** Longer strings are capped. */
const mostWholeDigits = 2600;
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
]);

/** `names` labels the outermost list's items. */
function Encoded({ raw, names }: { raw: string; names: readonly string[] }) {
  const [view, setView] = useState<"decoded" | "encoded">("decoded");
  // EIP-2718: a first byte below 0xc0 is the transaction type.
  const type = raw.length > 2 ? Number.parseInt(raw.slice(2, 4), 16) : 0xc0;
  const isTyped = type < 0xc0;
  const item = findRlp(raw.slice(isTyped ? 4 : 2));
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3 px-4 py-2">
        <Size digits={raw.slice(2)} what="RLP" />
        {isTyped && <span className="text-13 text-ink-3">EIP-2718 type {type}</span>}
        <Choices className="ml-auto" names={["decoded", "encoded"]} chosen={view} onChoose={setView} labels={titles} />
      </div>
      {view === "encoded" || !item ? (
        <Capped isLong={raw.length > mostWholeDigits} all={formatBytes((raw.length - 2) / 2)}>
          <Bytes className="max-h-none px-4!">{raw}</Bytes>
        </Capped>
      ) : (
        <div className="bytes max-h-none px-4!">
          <Tree item={item} names={names} raw={raw} />
        </div>
      )}
    </div>
  );
}

/** How many bytes of RLP there are, with a button that copies them. */
function Size({ digits, what }: { digits: string; what: string }) {
  return (
    <span className="inline-flex items-center gap-3 font-sans text-13 text-ink-2">
      {formatBytes(digits.length / 2)} of RLP
      <Copy value={`0x${digits}`} what={what} quiet={false} />
    </span>
  );
}

/** `raw` is the encoding of the outermost list, if its parts can be copied. */
function Tree({ item, names, raw }: { item: RlpItem; names: readonly string[]; raw?: string }) {
  if (typeof item.value === "string") return <Text digits={item.value} />;
  const items = item.value;
  if (items.length === 0) return <span className="text-ink-3">empty list</span>;
  // On phones, a short value is on the line of its name.
  const columns =
    names.length > 0
      ? "flex flex-wrap justify-between gap-x-4 sm:grid sm:grid-cols-[9.5rem_minmax(0,1fr)]"
      : "grid grid-cols-[2rem_minmax(0,1fr)] gap-x-4";
  return (
    <ul className="flex flex-col gap-y-0.5">
      {items.slice(0, shownItems).map((child, index) => {
        const name = names[index] ?? String(index);
        if (raw !== undefined && name === "header") {
          return (
            <li key={child.start}>
              <div className="flex items-center gap-x-4">
                <span className="text-code">header</span>
                <Size digits={raw.slice(2 + child.start, 2 + child.end)} what="header RLP" />
              </div>
              <div className="border-line border-l py-0.5 pl-4">
                <Tree item={child} names={headerFields} />
              </div>
            </li>
          );
        }
        return (
          <li key={child.start}>
            {child.value.length === 0 || typeof child.value === "string" ? (
              <div className={columns}>
                <span className="wrap-anywhere text-code">{name}</span>{" "}
                <div className="min-w-0">
                  {typeof child.value === "string" ? (
                    <Text digits={child.value} name={name} />
                  ) : (
                    <Tree item={child} names={[]} />
                  )}
                </div>
              </div>
            ) : (
              <details>
                <summary className="cursor-pointer py-0.5">
                  <span className="text-code">{name}</span>{" "}
                  <span className="text-ink-3">list of {child.value.length}</span>
                </summary>
                <div className="pl-4">
                  <Tree item={child} names={[]} />
                </div>
              </details>
            )}
          </li>
        );
      })}
      {items.length > shownItems && <li className="text-ink-3">and {items.length - shownItems} more</li>}
    </ul>
  );
}

/** A string in hex. Numbers and times are repeated in readable form, and long zeros are folded. */
function Text({ digits, name = "" }: { digits: string; name?: string }) {
  const bytes = formatBytes(digits.length / 2);
  if (digits === "") return <span className="text-ink-3">{numberNames.has(name) ? "0" : "empty"}</span>;
  if (digits.length > mostZeroDigits && /^0+$/.test(digits)) {
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
  return (
    <>
      {`0x${digits}`}
      {numberNames.has(name) && <span className="text-ink-3">{`  ${toReading(name, digits)}`}</span>}
    </>
  );
}

function toReading(name: string, digits: string): string {
  const number = BigInt(`0x${digits}`);
  if (name === "timestamp") return formatDate(Number(number));
  return name === "number" ? number.toString() : formatInteger(number);
}
