"use client";
/** The parts of a row about state: a mapping's entry, a word whose type is unknown, and an amount that changed. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { findWordAddress } from "@/lib/decode/slots";
import { findShownText, toBytes } from "@/lib/decode/words";
import { formatFixed, formatInteger, formatUnits } from "@/lib/units";

/** "balanceOf[Account 4]" */
export function MappingName({ label, ...keys }: { label: string } & Keys) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-0.5 leading-5">
      <code className="mono">{label}</code>
      <MappingKeys {...keys} />
    </span>
  );
}

/** A mapping's keys. Without types, their kinds are guessed. */
type Keys = { keys: readonly string[]; types?: readonly string[] | undefined };

/** "[Account 4]" */
export function MappingKeys({ keys, types }: Keys) {
  return (
    <span className="flex flex-wrap gap-x-0.5">
      {keys.map((key, at) => (
        <span key={key} className="inline-flex min-w-0 items-center gap-x-1">
          <span className="text-ink-3">[</span>
          <MappingKey value={key} type={types?.[at]} />
          <span className="text-ink-3">]</span>
        </span>
      ))}
    </span>
  );
}

/** Without a type, a word is an address unless it is as small as a number. Keys of other lengths are strings or bytes. */
function MappingKey({ value, type }: { value: string; type: string | undefined }) {
  if (value.length !== 66) {
    const text = findShownText(toBytes(value.slice(2)), 64);
    return text === undefined ? <Hash value={value} short /> : <q className="min-w-0 truncate">{text}</q>;
  }
  const address = findWordAddress(value);
  const isNumber = type === undefined && BigInt(value) < smallestAddress;
  if (isNumber) return BigInt(value).toString();
  return address ? <AddressLink address={address} /> : <Hash value={value} short />;
}

/** Smaller words are numbers. Addresses have as many leading zeros only by design, such as precompiles. */
const smallestAddress = 1n << 120n;

/**
 * Shows a word of unknown type as an address if it looks like one, in decimal if it is a small number, and otherwise in
 * hex.
 */
export function PlainWord({ word, isAddress = false }: { word: string; isAddress?: boolean }) {
  const value = BigInt(word);
  const address = findWordAddress(word);
  if (address && (isAddress || value >= smallestAddress)) return <AddressLink address={address} />;
  if (value === 0n) return <span className="text-ink-3">0</span>;
  if (value < 1n << 64n) return <span title={word}>{formatInteger(value)}</span>;
  return (
    <span className="identifier">
      <Hash value={word} short />
      <Copy value={word} what="value" />
    </span>
  );
}

/** The sign of a change. On phones, it is below the arrow, so that the digits are below those of the values. */
export function Sign({ children }: { children: string }) {
  return <span className="max-md:mr-2 max-md:w-4 max-md:text-center">{children}</span>;
}

/** The length of an amount without its trailing zeros. */
function toEnd(text: string, decimals: number): number {
  return decimals === 0 ? text.length : text.replace(/\.?0+$/, "").length;
}

/**
 * An amount before or after a change. The digits that it shares with the `other` amount are faint. On wide screens,
 * faint zeros align the decimal points of a column.
 */
export function ChangedUnits({
  units,
  other,
  unit: { symbol, decimals },
}: {
  units: bigint;
  other: bigint;
  unit: { symbol: string; decimals: number };
}) {
  const [text, otherText] = [units, other].map((each) => formatFixed(each, decimals, decimals)) as [string, string];
  let same = 0;
  if (text.length === otherText.length) while (same < text.length && text[same] === otherText[same]) same++;
  // Both values have the same number of decimals, so that the digits that changed are below each other.
  const end = Math.max(...[text, otherText].map((each) => toEnd(each, decimals)));
  return (
    <span className="whitespace-nowrap" title={`${formatUnits(units, decimals)} ${symbol} (${formatInteger(units)})`}>
      <span className="text-ink-3">{text.slice(0, Math.min(same, end))}</span>
      {text.slice(same, end)}
      <span className="fill text-ink-3">{text.slice(end)}</span>
      <span className="text-ink-3"> {symbol}</span>
    </span>
  );
}
