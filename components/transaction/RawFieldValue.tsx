"use client";
/** The value of a field of a signed transaction: a number, bytes in lines of a fixed length, or a list. */
import { Fragment } from "react";
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { CopiedHex, ReadHex } from "@/components/atoms/FieldList";
import { useAddressName } from "@/components/layout/NetworkContext";
import { numberFields, type RawField } from "@/lib/decode/rlp";
import { findFunctionName } from "@/lib/decode/selectors";
import { formatBytes, formatInteger } from "@/lib/units";

/** What the fields mean, by name. */
export const fieldMeanings: Record<string, string> = {
  chainId: "The only chain that accepts it",
  nonce: "Number of earlier transactions from the sender",
  gasPrice: "Price of gas",
  maxPriorityFeePerGas: "Maximum tip per unit of gas",
  maxFeePerGas: "Maximum price per unit of gas, including the tip",
  maxFeePerBlobGas: "Maximum price per unit of blob gas",
  blobVersionedHashes: "Hashes of the blobs (EIP-4844)",
  gasLimit: "Maximum gas",
  to: "Recipient",
  value: "Amount of the native currency",
  data: "Function and its arguments, or init code",
  accessList: "Addresses and slots that it will access",
  authorizationList: "Accounts that set their code (EIP-7702)",
  v: "Recovery value of the signature, with the chain ID",
  yParity: "Recovery bit of the signature",
  r: "First half of the signature",
  s: "Second half of the signature",
};

/** Longer payloads are truncated in the middle for display. */
export const shownDigits = 2000;

/** These numbers are identifiers, so their digits aren't grouped. */
const identifiers: ReadonlySet<string> = new Set(["chainId", "nonce", "v", "yParity"]);
const amounts: ReadonlySet<string> = new Set([
  "gasPrice",
  "maxPriorityFeePerGas",
  "maxFeePerGas",
  "maxFeePerBlobGas",
  "value",
]);

function findReading(name: string, digits: string): string | undefined {
  if (!numberFields.has(name)) return undefined;
  const number = BigInt(`0x${digits}`);
  if (identifiers.has(name)) return number.toString();
  return `${formatInteger(number)}${amounts.has(name) ? " wei" : ""}`;
}

export function toShown(digits: string): string {
  return digits.length <= shownDigits ? digits : `${digits.slice(0, shownDigits)}…${digits.slice(-64)}`;
}

/** `wordNames` are the names of the words in the calldata, if they are known. */
export function RawFieldValue({ wordNames, ...field }: RawField & { wordNames?: readonly string[] | undefined }) {
  const { name, item } = field;
  const { value } = item;
  if (typeof value !== "string") {
    return value.length === 0 ? (
      <span className="text-ink-3">empty list</span>
    ) : (
      <ol className="border-line border-l pl-3">
        {value.map((inner) => (
          <li key={inner.start} className="not-last:mb-1">
            <RawFieldValue name={name} item={inner} />
          </li>
        ))}
      </ol>
    );
  }
  if (value === "") return <span className="text-ink-3">{numberFields.has(name) ? "0" : "empty"}</span>;
  if (numberFields.has(name)) return <ReadHex digits={value} reading={findReading(name, value)} />;
  if (name === "to") return <NamedAddress digits={value} />;
  return (
    <CopiedHex digits={value} what={name}>
      <Capped isLong={value.length > mostWholeDigits} all={formatBytes(value.length / 2)}>
        <span className={value.length > mostWholeDigits ? "block bg-sunken px-3 py-2" : ""}>
          <Digits value={value} hasWords={name === "data" && value.length % 64 === 8} names={wordNames} />
        </span>
      </Capped>
    </CopiedHex>
  );
}

/** An address, and its name if it has one. */
export function NamedAddress({ digits }: { digits: string }) {
  const known = useAddressName(`0x${digits}`);
  return (
    <CopiedHex digits={digits} what="address">
      <ReadHex digits={digits} reading={known?.name} />
    </CopiedHex>
  );
}

/**
 * A line has one word of 32 bytes or, on narrow screens, half of one. If the value has words, they start after its first four
 * bytes, the selector.
 */
function Digits({
  value,
  hasWords,
  names = [],
}: {
  value: string;
  hasWords: boolean;
  names?: readonly string[] | undefined;
}) {
  const [head = "", tail] = toShown(value).split(/(?<=…)/);
  const functionName = hasWords ? findFunctionName(`0x${head.slice(0, 8)}`) : undefined;
  const lines = hasWords ? [head.slice(0, 8), ...(head.slice(8).match(/[^…]{1,64}…?/g) ?? [])] : [head];
  if (tail !== undefined) lines.push(tail);
  return lines.map((line, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
      key={index}
      // On narrower screens, a line at their edge sets words with names apart from the fields.
      className={`block max-w-[66.25ch] max-[22rem]:tracking-tighter ${hasWords ? "max-[48rem]:not-last:mb-2 lg:flex" : ""} ${names.length > 0 && index > 0 ? "max-lg:max-w-none max-lg:border-line max-lg:border-l max-lg:pl-3" : ""}`}
    >
      {/* On wide screens, it is after its word and reaches into the column of the meanings. */}
      {hasWords && names[index - 1] && (
        <span className="block flex-none text-ink-3 max-lg:pt-1.5 lg:order-1 lg:ml-3">{names[index - 1]}</span>
      )}
      <span className="flex-none">
        {index === 0 && "0x"}
        {line.match(/[^…]{1,32}…?/g)?.map((half, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: halves have no other identity
          <Fragment key={place}>
            {place > 0 && <wbr />}
            {half}
          </Fragment>
        ))}
      </span>
      {index === 0 && functionName && <span className="ml-3 text-ink-3 max-sm:ml-0 max-sm:block">{functionName}</span>}
    </span>
  ));
}
