"use client";
/** A signed transaction in a block's RLP, with its named fields. */
import { Copy } from "@/components/atoms/Copy";
import { FieldList, FieldRow, TypeRow } from "@/components/atoms/FieldList";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { useReading } from "@/components/trace/useReadings";
import { fieldMeanings, RawFieldValue } from "@/components/transaction/RawFieldValue";
import { toInputItem } from "@/components/transaction/transactionItems";
import { findWordNames } from "@/components/transaction/wordNames";
import { findRawFields, type RlpItem } from "@/lib/decode/rlp";
import { toTransactionPath } from "@/lib/links";
import { formatInteger } from "@/lib/units";

/** The transaction's bytes. EIP-2718: typed transactions are strings, and others are lists. */
export const toTransactionDigits = ({ start, end, value }: RlpItem, raw: string): string =>
  typeof value === "string" ? value : raw.slice(2 + start, 2 + end);

export function RlpTransaction({ digits, hash }: { digits: string; hash: string }) {
  const { network } = useSource();
  const decoded = findRawFields(`0x${digits}`);
  const values = new Map(decoded?.fields.map(({ name, item }) => [name, item.value]));
  // Without a recipient, the data is init code.
  const input = `0x${values.get("data") ?? ""}`;
  const [reading] = useReading(values.get("to") ? toInputItem({ to: `0x${values.get("to")}`, input }) : undefined);
  const wordNames = findWordNames(input, reading);
  if (!decoded) return <code className="break-all">{`0x${digits}`}</code>;
  return (
    <>
      <p className="mb-1 flex items-center gap-x-3 font-sans text-13 text-ink-2">
        {formatInteger(digits.length / 2)} B
        <Copy value={`0x${digits}`} what="signed transaction" quiet={false} />
        <AppLink href={toTransactionPath(network, hash)} className="ml-1">
          View transaction
        </AppLink>
      </p>
      <FieldList look="inner">
        <TypeRow type={decoded.type} />
        {decoded.fields.map((field) => (
          <FieldRow key={field.name} name={field.name} meaning={fieldMeanings[field.name]}>
            <RawFieldValue {...field} wordNames={wordNames} />
          </FieldRow>
        ))}
      </FieldList>
    </>
  );
}
