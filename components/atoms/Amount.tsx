"use client";
/** An amount of a token, shortened for display. The tooltip and the copy button have the exact amount. */
import { Copy } from "@/components/atoms/Copy";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { formatFixed, formatGwei, formatInteger, formatUnits, toDisplayAmount, toGasPrice } from "@/lib/units";

/** The number of decimals shown in lists. The tooltip has the exact amount. */
export const listDigits = 6;

type Unit = {
  symbol: string;
  decimals: number;
  /** The path of the token's page, to which the symbol links. */
  path?: string | undefined;
};
type AmountOptions = {
  digits?: number;
  copy?: boolean;
  fractionDigits?: number;
  unitInHead?: boolean;
  unitAligned?: boolean;
};

export function Amount({
  units,
  unit,
  digits = 6,
  copy = false,
  fractionDigits,
  unitInHead = false,
  unitAligned = false,
}: {
  /** In the smallest unit. */
  units: bigint;
  unit: Unit;
  /** The number of significant digits to show. Infinity shows them all. */
  digits?: number;
  copy?: boolean;
  /** In a column: shows exactly this many decimals on wide screens, so that the decimal points align. */
  fractionDigits?: number;
  /** Omits the unit on wide screens, because the column header or the next column names it. */
  unitInHead?: boolean;
  /** In a column with several units: reserves space for the longest unit, so that the decimal points align. */
  unitAligned?: boolean;
}) {
  const { text, exact, rounded } = toDisplayAmount(units, unit.decimals, digits);
  const title = `${exact} ${unit.symbol} (${formatInteger(units)})`;
  return (
    <span className={`whitespace-nowrap ${copy ? "identifier" : ""}`}>
      <span title={title} className={units === 0n ? "text-ink-3" : undefined}>
        {fractionDigits === undefined ? text : <Aligned units={units} unit={unit} fractionDigits={fractionDigits} />}
        {fractionDigits === undefined && rounded && <span className="text-ink-3">…</span>}
        <span className={`text-ink-3 ${unitInHead ? "md:hidden" : ""} ${unitAligned ? "unit" : ""}`}>
          {" "}
          {unit.path ? <AppLink href={unit.path}>{unit.symbol}</AppLink> : unit.symbol}
        </span>
      </span>
      {copy && units !== 0n && <Copy value={exact} what="exact amount" />}
    </span>
  );
}

/**
 * Truncates an amount to the column's number of decimals; the tooltip has the exact amount. Shorter amounts are padded
 * with zeros: the first two decimals are shown everywhere, further zeros are faint in columns and left out on phones. An
 * amount that would become zero is shown as less than the smallest step, and zero has no decimals.
 */
function Aligned({ units, unit, fractionDigits }: { units: bigint; unit: Unit; fractionDigits: number }) {
  if (units === 0n) return "0";
  const [whole = "", fraction = ""] = toDisplayAmount(units, unit.decimals, Number.POSITIVE_INFINITY).text.split(".");
  const kept = fraction.slice(0, fractionDigits).replace(/0+$/, "");
  const vanished = whole === "0" && kept === "" && fraction !== "";
  const shown = vanished ? "1".padStart(fractionDigits, "0") : kept;
  const decimals = shown.padEnd(Math.min(2, fractionDigits), "0");
  return (
    <>
      {vanished && "<"}
      {whole}
      {decimals && `.${decimals}`}
      <span className="fill text-ink-3">{"0".repeat(fractionDigits - decimals.length)}</span>
    </>
  );
}

/** The header of a column of native currency amounts. */
export function NativeHead({ label }: { label: string }) {
  const { nativeCurrency } = useNetwork();
  return (
    <>
      {label} <span className="font-normal">{nativeCurrency.symbol}</span>
    </>
  );
}

/** The units of native amounts that would be mostly zeros in the native currency. */
export const smallUnits = { wei: { symbol: "wei", decimals: 0 }, gwei: { symbol: "gwei", decimals: 9 } };

/** Smaller amounts (below 0.01 gwei) would be mostly zeros in gwei too. */
const leastGweiWei = 10n ** 7n;
const toSmallUnit = (wei: bigint): Unit => (wei > 0n && wei < leastGweiWei ? smallUnits.wei : smallUnits.gwei);

/** An amount of the network's native currency, in wei. */
export function NativeAmount({ wei, ...options }: { wei: bigint } & AmountOptions) {
  return <Amount units={wei} unit={useNetwork().nativeCurrency} {...options} />;
}

/** Native amounts of at least this (0.001) are in the native currency. Smaller ones are easier to read in gwei or wei. */
export const leastNativeWei = 10n ** 15n;

/** All digits of an amount of the network's native currency, in the unit that is the easiest to read. */
export function ExactNativeAmount({ wei, copy = false }: { wei: bigint; copy?: boolean }) {
  const { nativeCurrency } = useNetwork();
  const unit = wei === 0n || wei >= leastNativeWei ? nativeCurrency : toSmallUnit(wei);
  return <Amount units={wei} unit={unit} digits={Number.POSITIVE_INFINITY} copy={copy} />;
}

/** An amount of a token, with the token's symbol. If the token is unknown, the amount is in smallest units. */
export function TokenAmount({ units, token, ...options }: { units: bigint; token: string } & AmountOptions) {
  const known = findToken(useNetwork(), token);
  const unit = known ?? { symbol: "units", decimals: 0 };
  return <Amount units={units} unit={unit} digits={12} {...options} />;
}

/**
 * A token amount in a list. If `others` is set, also shows the number of further transfers. If the token is unknown,
 * the amount is omitted.
 */
export function ListedTokenAmount({
  units,
  token,
  others,
  fractionDigits = listDigits,
  unitAligned = true,
}: {
  units: bigint;
  token: string;
  others: number;
  fractionDigits?: number;
  unitAligned?: boolean;
}) {
  const known = findToken(useNetwork(), token);
  return (
    <span className="whitespace-nowrap">
      {others > 0 && (
        <span className="method mr-2" title={`and ${others} more token ${plural(others, "transfer")}`}>
          +{others}
        </span>
      )}
      {known ? (
        <Amount units={units} unit={known} fractionDigits={fractionDigits} unitAligned={unitAligned} />
      ) : (
        <span title={`${formatInteger(units)} units of ${token} (unknown decimals)`}>a token</span>
      )}
    </span>
  );
}

/**
 * The cost of gas, rounded, in the native currency or, if it is small, in gwei or wei. The tooltip shows the exact amount.
 * `aligned` is for columns: it keeps trailing zeros, so that most decimal points align, and never uses wei, so that few
 * rows have another unit.
 */
export function GasCost({ wei, aligned = false }: { wei: bigint; aligned?: boolean }) {
  const { nativeCurrency } = useNetwork();
  const isNative = wei >= leastNativeWei;
  const { symbol, decimals } = isNative ? nativeCurrency : aligned ? smallUnits.gwei : toSmallUnit(wei);
  const isTiny = aligned && wei > 0n && wei < leastGweiWei;
  const isWhole = decimals === 0 || wei === 0n || (wei >= 10n ** 12n && !isNative);
  const fractionDigits = isNative ? 6 : isWhole ? 0 : 2;
  const text = formatFixed(wei, decimals, fractionDigits);
  const shown = aligned || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
  return (
    <span className="whitespace-nowrap" title={`${formatUnits(wei, nativeCurrency.decimals)} ${nativeCurrency.symbol}`}>
      {isTiny ? "<0.01" : shown}
      <span className="text-ink-3"> {symbol}</span>
    </span>
  );
}

/**
 * A gas price, given in wei. It is shown in gwei, or in wei if the price in gwei would be mostly zeros. With `inGwei`, it
 * is always in gwei, so that prices in a list compare. Unless `exact`, it is rounded.
 */
export function GasPrice({ wei, inGwei = false, exact = false }: { wei: bigint; inGwei?: boolean; exact?: boolean }) {
  const { text, unit } = inGwei ? { text: formatGwei(wei), unit: "gwei" } : toGasPrice(wei);
  return (
    <span className="whitespace-nowrap" title={`${formatInteger(wei)} wei`}>
      {exact && unit === "gwei" ? formatUnits(wei, 9) : text}
      <span className="text-ink-3"> {unit}</span>
    </span>
  );
}
