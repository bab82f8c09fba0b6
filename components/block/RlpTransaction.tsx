"use client";
/** A signed transaction in a block's RLP, with its named fields. */
import { Copy } from "@/components/atoms/Copy";
import { FieldList, FieldRow, ReadHex } from "@/components/atoms/FieldList";
import { useReading } from "@/components/trace/useReadings";
import { fieldMeanings, RawFieldValue } from "@/components/transaction/RawFieldValue";
import { toInputItem } from "@/components/transaction/transactionItems";
import { findWordNames } from "@/components/transaction/wordNames";
import { findRawFields, type RlpItem } from "@/lib/decode/rlp";
import { formatInteger } from "@/lib/units";

/** The transaction's bytes. EIP-2718: typed transactions are strings, and others are lists. */
export const toTransactionDigits = ({ start, end, value }: RlpItem, raw: string): string =>
  typeof value === "string" ? value : raw.slice(2 + start, 2 + end);

export function RlpTransaction({ digits }: { digits: string }) {
  const decoded = findRawFields(`0x${digits}`);
  const findValue = (name: string) => {
    const value = decoded?.fields.find((field) => field.name === name)?.item.value;
    return typeof value === "string" ? `0x${value}` : "0x";
  };
  const input = findValue("data");
  const [reading] = useReading(toInputItem({ to: findValue("to") === "0x" ? null : findValue("to"), input }));
  if (!decoded) return <code className="break-all">{`0x${digits}`}</code>;
  return (
    <>
      <p className="mb-1 flex items-center gap-x-3 font-sans text-13 text-ink-2">
        {formatInteger(digits.length / 2)} B
        <Copy value={`0x${digits}`} what="signed transaction" quiet={false} />
      </p>
      <FieldList look="inner">
        <FieldRow name="type" meaning={fieldMeanings.type}>
          <ReadHex digits={decoded.type.toString(16).padStart(2, "0")} reading={String(decoded.type)} />
        </FieldRow>
        {decoded.fields.map((field) => (
          <FieldRow key={field.name} name={field.name} meaning={fieldMeanings[field.name]}>
            <RawFieldValue {...field} wordNames={findWordNames(input, reading)} />
          </FieldRow>
        ))}
      </FieldList>
    </>
  );
}
