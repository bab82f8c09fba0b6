"use client";
/** The signed transactions in a block's RLP, each with its named fields. */
import { FieldList, FieldRow, ReadHex } from "@/components/atoms/FieldList";
import { fieldMeanings, RawFieldValue } from "@/components/transaction/RawFieldValue";
import { findRawFields, type RlpItem } from "@/lib/decode/rlp";
import { formatBytes } from "@/lib/units";

/** `raw` is the encoding of the block, which has the bytes of untyped transactions. */
export function RlpTransactions({ items, raw }: { items: readonly RlpItem[]; raw: string }) {
  return items.map((item, index) => {
    // EIP-2718: typed transactions are strings, and others are lists.
    const digits = typeof item.value === "string" ? item.value : raw.slice(2 + item.start, 2 + item.end);
    const decoded = findRawFields(`0x${digits}`);
    return (
      <details key={item.start} open={items.length === 1} className="mb-1">
        <summary className="w-fit cursor-pointer text-ink-2">
          transaction {index}, {formatBytes(digits.length / 2)}
        </summary>
        <div className="mt-1 border-line border-l pl-4">
          {decoded ? (
            <FieldList look="inner">
              <FieldRow name="type" meaning={fieldMeanings.type}>
                <ReadHex digits={decoded.type.toString(16).padStart(2, "0")} reading={String(decoded.type)} />
              </FieldRow>
              {decoded.fields.map((field) => (
                <FieldRow key={field.name} name={field.name} meaning={fieldMeanings[field.name]}>
                  <RawFieldValue {...field} />
                </FieldRow>
              ))}
            </FieldList>
          ) : (
            <code className="break-all">{`0x${digits}`}</code>
          )}
        </div>
      </details>
    );
  });
}
