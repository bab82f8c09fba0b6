"use client";
/** The value of a field of a signed transaction: a number, bytes in lines of a fixed length, or a list. */
import { Capped, mostWholeDigits } from "@/components/atoms/Capped";
import { Copy } from "@/components/atoms/Copy";
import { numberFields, type RawField, typeMeaning } from "@/lib/decode/rlp";
import { formatBytes, formatInteger } from "@/lib/units";

/** What the fields mean, by name. */
export const fieldMeanings: Record<string, string> = {
  type: typeMeaning,
  chainId: "The only chain that accepts it",
  nonce: "How many transactions the sender sent before",
  gasPrice: "Price of gas, in wei",
  maxPriorityFeePerGas: "Maximum tip per unit of gas, in wei",
  maxFeePerGas: "Maximum price per unit of gas, including the tip, in wei",
  maxFeePerBlobGas: "Maximum price per unit of blob gas, in wei",
  blobVersionedHashes: "Hashes of the blobs (EIP-4844)",
  gasLimit: "Maximum gas that it may use",
  to: "Account or contract that receives it",
  value: "Amount of the native currency, in wei",
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

/** Longer values have no room beside their names on phones. */
const mostShortLetters = 16;

/** These numbers are identifiers, so their digits aren't grouped. */
const identifiers: ReadonlySet<string> = new Set(["chainId", "nonce", "v", "yParity"]);

/** A field's value as text. Empty if it has no bytes or is a list. */
function toText({ name, item: { value } }: RawField): string {
  if (typeof value !== "string") return "";
  if (!numberFields.has(name)) return value && `0x${value}`;
  const number = BigInt(`0x${value || "0"}`);
  return identifiers.has(name) ? number.toString() : formatInteger(number);
}

export function isLongField(field: RawField): boolean {
  return typeof field.item.value === "string" ? toText(field).length > mostShortLetters : field.item.value.length > 0;
}

export function toShown(digits: string): string {
  return digits.length <= shownDigits ? digits : `${digits.slice(0, shownDigits)}…${digits.slice(-64)}`;
}

export function RawFieldValue(field: RawField) {
  const { name, item } = field;
  const { value } = item;
  if (typeof value !== "string") {
    return value.length === 0 ? (
      <span className="text-ink-3">empty</span>
    ) : (
      <ol className="border-line border-l pl-3">
        {value.map((inner) => (
          <li key={inner.start}>
            <RawFieldValue name={name} item={inner} />
          </li>
        ))}
      </ol>
    );
  }
  if (numberFields.has(name)) {
    const text = toText(field);
    const digits = text.replaceAll(",", "");
    return (
      <span className="identifier">
        <span className="wrap-anywhere min-w-0">{text}</span>
        <Copy value={digits} what={digits === text ? name : `${name} as ${digits}`} />
      </span>
    );
  }
  if (value === "") return <span className="text-ink-3">none</span>;
  return (
    <span className="flex max-w-full items-start gap-1">
      <Capped isLong={value.length > mostWholeDigits} all={formatBytes(value.length / 2)}>
        <span className={value.length > mostWholeDigits ? "block bg-sunken px-3 py-2 leading-5" : ""}>
          <Digits value={value} hasWords={name === "data" && value.length % 64 === 8} />
        </span>
      </Capped>
      <Copy value={`0x${value}`} what={name} />
    </span>
  );
}

/**
 * A line has one word of 32 bytes or, on phones, half of one. If the value has words, they start after its first four
 * bytes, the selector.
 */
function Digits({ value, hasWords }: { value: string; hasWords: boolean }) {
  const [head = "", tail] = toShown(value).split(/(?<=…)/);
  const lines = hasWords ? [head.slice(0, 8), ...(head.slice(8).match(/[^…]{1,64}…?/g) ?? [])] : [head];
  if (tail !== undefined) lines.push(tail);
  return lines.map((line, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
      key={index}
      className={`block break-all ${hasWords ? "max-w-[64.25ch] max-sm:max-w-[32.25ch] max-sm:not-last:mb-1.5" : "max-w-[66.25ch] max-sm:max-w-[34.25ch]"}`}
    >
      {index === 0 && "0x"}
      {line}
    </span>
  ));
}
