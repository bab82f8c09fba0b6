"use client";
/**
 * An amount of a currency: shortened to what the eye needs, exact in its tooltip and in what the copy button copies.
 */
import type { CSSProperties } from "react";
import { Copy } from "@/components/atoms/Copy";
import { useNetwork } from "@/components/layout/NetworkContext";
import { plural } from "@/lib/plural";
import { formatGwei, formatInteger, smallGasPriceWei, toDisplayAmount } from "@/lib/units";

type Unit = { symbol: string; decimals: number };
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
  /** In the unit's smallest part. */
  units: bigint;
  unit: Unit;
  /** Significant digits; Infinity shows them all. */
  digits?: number;
  copy?: boolean;
  /** In a column: room for this many decimals, so that the points stand under each other. */
  fractionDigits?: number;
  /** The column's head names the unit, so that wide rows need not. */
  unitInHead?: boolean;
  /** In a column of several units: room for the longest, so that the points stand under each other all the same. */
  unitAligned?: boolean;
}) {
  const { text, exact } = toDisplayAmount(units, unit.decimals, digits);
  const title = `${exact} ${unit.symbol} (${formatInteger(units)})`;
  return (
    <span className={`whitespace-nowrap ${copy ? "identifier" : ""}`}>
      <span title={title} className={units === 0n ? "text-ink-3" : undefined}>
        {fractionDigits === undefined ? text : <Aligned text={text} fractionDigits={fractionDigits} />}
        <span className={`text-ink-3 ${unitInHead ? "sm:hidden" : ""} ${unitAligned ? "unit" : ""}`}>
          {" "}
          {unit.symbol}
        </span>
      </span>
      {copy && <Copy value={exact} what="exact amount" />}
    </span>
  );
}

/** Cut to the column's decimals; what would be cut to nothing says that it is not nothing. */
function Aligned({ text, fractionDigits }: { text: string; fractionDigits: number }) {
  const [whole = "", fraction = ""] = text.split(".");
  const kept = fraction.slice(0, fractionDigits).replace(/0+$/, "");
  const vanished = whole === "0" && kept === "" && fraction !== "";
  const shown = vanished ? "1".padStart(fractionDigits, "0") : kept;
  return (
    <>
      {vanished && "<"}
      {whole}
      <span className="fraction" style={{ "--fraction": `${fractionDigits + 0.6}ch` } as CSSProperties}>
        {shown && `.${shown}`}
      </span>
    </>
  );
}

/** The head of a column of amounts in the network's own currency. */
export function NativeHead({ label }: { label: string }) {
  const { nativeCurrency } = useNetwork();
  return (
    <>
      {label} <span className="font-normal">{nativeCurrency.symbol}</span>
    </>
  );
}

/** An amount of the network's own currency, in wei. */
export function NativeAmount({ wei, ...options }: { wei: bigint } & AmountOptions) {
  const { nativeCurrency } = useNetwork();
  return <Amount units={wei} unit={nativeCurrency} {...options} />;
}

/** An amount of a token: in its symbol where the network knows it, else in its smallest units. */
export function TokenAmount({ units, token, ...options }: { units: bigint; token: string } & AmountOptions) {
  const { tokens } = useNetwork();
  const known = tokens.find((candidate) => candidate.address.toLowerCase() === token.toLowerCase());
  const unit = known ?? { symbol: "units", decimals: 0 };
  return <Amount units={units} unit={unit} digits={12} {...options} />;
}

/** The first of the token transfers that a list's row stands for; of a token nobody here knows only that it moved. */
export function ListedTokenAmount({
  units,
  token,
  others,
  fractionDigits,
}: {
  units: bigint;
  token: string;
  others: number;
  fractionDigits: number;
}) {
  const { tokens } = useNetwork();
  const known = tokens.find((candidate) => candidate.address.toLowerCase() === token.toLowerCase());
  return (
    <span className="whitespace-nowrap">
      {known ? (
        <Amount units={units} unit={known} fractionDigits={fractionDigits} unitAligned />
      ) : (
        <span title={`${formatInteger(units)} units of ${token} (unknown decimals)`}>a token</span>
      )}
      {others > 0 && (
        <span className="text-ink-3" title={`and ${others} more token ${plural(others, "transfer")}`}>
          {" "}
          +{others}
        </span>
      )}
    </span>
  );
}

/** A price of gas, in wei: shown in gwei, or where that would be mostly zeros, as it is. */
export function GasPrice({ wei }: { wei: bigint }) {
  const small = wei > 0n && wei < smallGasPriceWei;
  return (
    <span className="whitespace-nowrap" title={`${formatInteger(wei)} wei`}>
      {small ? formatInteger(wei) : formatGwei(wei)}
      <span className="text-ink-3"> {small ? "wei" : "gwei"}</span>
    </span>
  );
}
