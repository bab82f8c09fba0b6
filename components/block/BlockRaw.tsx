"use client";
/**
 * A block's consensus encoding, as bytes and decoded: the RLP of the block, with its header, and of its receipts.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Hash } from "@/components/atoms/Hash";
import type { BlockName } from "@/components/block/BlockScreen";
import { RlpTree, Size, shownItems } from "@/components/block/RlpTree";
import { bodyFields, type Field, receiptFields } from "@/components/block/rlpFields";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { findRlp } from "@/lib/decode/rlp";
import { rawQuery, rawReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery } from "@/lib/query/queries";
import { formatBytes } from "@/lib/units";

const titles = { decoded: "Decoded", encoded: "Encoded" };

export function BlockRaw({ name }: { name: BlockName }) {
  const source = useSource();
  const { data: block } = useQuery(blockQuery(source, name));
  if (!block) return null;
  return (
    <>
      <Sheet id="block" title="Block" aside={<DataLinks method="debug_getRawBlock" params={[block.number]} />}>
        <QueryContent query={rawQuery(source, block.number)} rows={6}>
          {(raw) => <Encoded raw={raw} fields={bodyFields} />}
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
                <Encoded raw={raw} fields={receiptFields} />
              </details>
            ))
          )
        }
      </QueryContent>
    </Sheet>
  );
}

/** `fields` describes the outermost list's items. */
function Encoded({ raw, fields }: { raw: string; fields: readonly Field[] }) {
  const [view, setView] = useState<"decoded" | "encoded">("decoded");
  // EIP-2718: a first byte below 0xc0 is the transaction type.
  const type = raw.length > 2 ? Number.parseInt(raw.slice(2, 4), 16) : 0xc0;
  const isTyped = type < 0xc0;
  const item = findRlp(raw.slice(isTyped ? 4 : 2));
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3 px-4 py-2">
        <Size digits={raw.slice(2)} what="RLP" />
        <Choices className="ml-auto" names={["decoded", "encoded"]} chosen={view} onChoose={setView} labels={titles} />
      </div>
      {view === "encoded" || !item ? (
        <Capped isLong={raw.length > mostWholeDigits} all={formatBytes((raw.length - 2) / 2)}>
          <Bytes className="max-h-none px-4!">{raw}</Bytes>
        </Capped>
      ) : (
        <div className="bytes max-h-none px-4!">
          <RlpTree item={item} fields={fields} raw={raw} {...(isTyped && { type })} />
        </div>
      )}
    </div>
  );
}
