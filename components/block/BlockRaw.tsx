"use client";
/**
 * A block's consensus encoding, as bytes and decoded: the RLP of the block, with its header, and of its receipts.
 */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import type { BlockName } from "@/components/block/BlockScreen";
import { RlpTree, shownItems } from "@/components/block/RlpTree";
import { bodyFields, type Field, receiptFields } from "@/components/block/rlpFields";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { findRlp } from "@/lib/decode/rlp";
import { toTransactionPath } from "@/lib/links";
import { rawQuery, rawReceiptsQuery } from "@/lib/query/explorerQueries";
import { blockQuery } from "@/lib/query/queries";
import { formatBytes, formatInteger } from "@/lib/units";

const titles = { decoded: "Decoded", encoded: "Encoded" };
type View = keyof typeof titles;

export function BlockRaw({ name }: { name: BlockName }) {
  const source = useSource();
  const { data: block } = useQuery(blockQuery(source, name));
  if (!block) return null;
  return (
    <>
      <QueryContent framed query={rawQuery(source, block.number)} rows={6}>
        {(raw) => <RawBlock number={block.number} raw={raw} />}
      </QueryContent>
      <QueryContent framed query={rawReceiptsQuery(source, block.number)} rows={6}>
        {(receipts) => (
          <RawReceipts
            number={block.number}
            receipts={receipts}
            hashes={block.transactions.map((each) => (typeof each === "string" ? each : each.hash))}
          />
        )}
      </QueryContent>
    </>
  );
}

function RawBlock({ number, raw }: { number: `0x${string}`; raw: string }) {
  const [view, setView] = useState<View>("decoded");
  return (
    <Sheet
      id="block"
      title={`Block, ${formatInteger((raw.length - 2) / 2)} B of RLP`}
      aside={
        <Aside view={view} onView={setView} method="debug_getRawBlock" number={number}>
          <Copy value={raw} what="RLP" quiet={false} />
        </Aside>
      }
    >
      <Encoded raw={raw} fields={bodyFields} view={view} />
    </Sheet>
  );
}

type ReceiptsProps = { number: `0x${string}`; receipts: readonly string[]; hashes: readonly string[] };

/** `hashes` are those of the block's transactions. */
function RawReceipts({ number, receipts, hashes }: ReceiptsProps) {
  const { network } = useSource();
  const [view, setView] = useState<View>("decoded");
  return (
    <Sheet
      id="receipts"
      title="Receipts"
      aside={
        <Aside
          view={view}
          onView={receipts.length === 0 ? undefined : setView}
          method="debug_getRawReceipts"
          number={number}
        />
      }
    >
      {receipts.length === 0 && <Empty title="The block has no receipts" />}
      {receipts.slice(0, shownItems).map((raw, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: receipts never move
        <details key={index} open={receipts.length === 1} className="group border-line border-b last:border-b-0">
          <summary className="cursor-pointer px-4 py-2 text-13 group-open:border-line group-open:border-b">
            Receipt {index}
            <span className="text-ink-2">
              {", transaction "}
              <Hash short value={hashes[index] ?? ""} />
            </span>
          </summary>
          <p className="flex items-center gap-x-3 px-4 pt-2 pb-1 text-13 text-ink-2">
            {formatInteger((raw.length - 2) / 2)} B
            <Copy value={raw} what="receipt RLP" quiet={false} />
            <AppLink href={toTransactionPath(network, hashes[index] ?? "")} className="ml-1 leading-6">
              View transaction
            </AppLink>
          </p>
          <Encoded raw={raw} fields={receiptFields} view={view} />
        </details>
      ))}
    </Sheet>
  );
}

/** What the title lines have at their ends: the choice of a view, the request behind the data, and `children`. */
function Aside({
  view,
  onView,
  method,
  number,
  children,
}: {
  view: View;
  onView: ((view: View) => void) | undefined;
  method: "debug_getRawBlock" | "debug_getRawReceipts";
  number: `0x${string}`;
  children?: ReactNode;
}) {
  return (
    // On phones, all but `children` is below the title.
    <span className="flex items-center gap-x-3 max-sm:contents">
      <span className="flex items-center gap-x-3 max-sm:order-1 max-sm:basis-full max-sm:justify-between">
        {onView && <Choices names={["decoded", "encoded"]} chosen={view} onChoose={onView} labels={titles} />}
        <DataLinks method={method} params={[number]} />
      </span>
      {children}
    </span>
  );
}

/** `fields` describes the outermost list's items. */
function Encoded({ raw, fields, view }: { raw: string; fields: readonly Field[]; view: View }) {
  // EIP-2718: a first byte below 0xc0 is the transaction type.
  const type = raw.length > 2 ? Number.parseInt(raw.slice(2, 4), 16) : 0xc0;
  const isTyped = type < 0xc0;
  const item = findRlp(raw.slice(isTyped ? 4 : 2));
  if (view === "encoded" || !item) {
    return (
      <Capped isLong={raw.length > mostWholeDigits} all={formatBytes((raw.length - 2) / 2)}>
        <Bytes className="max-h-none px-4!">{raw}</Bytes>
      </Capped>
    );
  }
  return (
    <div className="px-4 py-2.5">
      <RlpTree item={item} fields={fields} raw={raw} {...(isTyped && { type })} />
    </div>
  );
}
