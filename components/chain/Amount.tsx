"use client";
/**
 * An amount of a currency: shortened to what the eye needs, exact in its tooltip and in what the copy button copies.
 */
import { Copy } from "@/components/chain/Copy";
import { useNetwork } from "@/components/chain/NetworkContext";
import { t } from "@/lib/messages/translate";
import { formatGwei, formatInteger, toDisplayAmount } from "@/lib/units";

type Unit = { symbol: string; decimals: number };

export function Amount({
  units,
  unit,
  digits = 6,
  copy = false,
}: {
  /** In the unit's smallest part. */
  units: bigint;
  unit: Unit;
  /** Significant digits; Infinity shows them all. */
  digits?: number;
  copy?: boolean;
}) {
  const { text, exact, rounded } = toDisplayAmount(units, unit.decimals, digits);
  const title = `${exact} ${unit.symbol} (${formatInteger(units)})`;
  return (
    <span className={`whitespace-nowrap ${copy ? "identifier" : ""}`}>
      <span title={title} className={units === 0n ? "text-ink-3" : undefined}>
        {rounded && text === "0" ? "<0.000001" : text}
        <span className="text-ink-3"> {unit.symbol}</span>
      </span>
      {copy && <Copy value={exact} what={t("what.amount")} />}
    </span>
  );
}

/** An amount of the network's own currency, in wei. */
export function NativeAmount({ wei, digits, copy }: { wei: bigint; digits?: number; copy?: boolean }) {
  const { nativeCurrency } = useNetwork();
  return (
    <Amount
      units={wei}
      unit={nativeCurrency}
      {...(digits === undefined ? {} : { digits })}
      {...(copy === undefined ? {} : { copy })}
    />
  );
}

/** An amount of a token: in its symbol where the network knows it, else in its smallest units. */
export function TokenAmount({ units, token, copy }: { units: bigint; token: string; copy?: boolean }) {
  const { tokens } = useNetwork();
  const known = tokens.find((candidate) => candidate.address.toLowerCase() === token.toLowerCase());
  const unit = known ?? { symbol: t("amount.units"), decimals: 0 };
  return <Amount units={units} unit={unit} digits={12} {...(copy === undefined ? {} : { copy })} />;
}

/** A price of gas, in wei, shown in gwei. */
export function GasPrice({ wei }: { wei: bigint }) {
  return (
    <span className="whitespace-nowrap" title={`${formatInteger(wei)} wei`}>
      {formatGwei(wei)}
      <span className="text-ink-3"> gwei</span>
    </span>
  );
}
