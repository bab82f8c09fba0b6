"use client";
/** The amounts and links that lists show for known and unknown tokens. */
import { Amount, listDigits } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { Hinted } from "@/components/atoms/Hinted";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toListDigits } from "@/components/lists/amountShape";
import { useToken } from "@/components/token/useToken";
import { toChecksumAddress } from "@/lib/address";
import { toAddressPath, toTokenPath } from "@/lib/links";
import { findToken, type PageNetwork } from "@/lib/networks";
import { formatInteger } from "@/lib/units";

/** The header of a column of balances. Its tooltip explains how they are computed. */
export function HeldHead({ unit }: { unit?: string | undefined }) {
  return (
    <>
      <Hinted hint="Computed from Transfer events and checked against balanceOf()">Amount</Hinted>
      {unit !== undefined && <span className="font-normal"> {unit}</span>}
    </>
  );
}

/** The decimals that a column of these amounts needs. If the decimals of a token aren't known here, as many as lists show. */
export function toTokenDigits(
  tokens: PageNetwork["tokens"],
  amounts: readonly { units: bigint; token: string }[],
): number {
  const known = amounts.map(({ units, token }) => ({ units, decimals: findToken({ tokens }, token)?.decimals }));
  return known.some(({ decimals }) => decimals === undefined) ? listDigits : toListDigits(known);
}

/**
 * Set `aligned` in columns, so that the decimal points align: to show as many decimals as lists show, or a number. Set
 * `linked` if the symbol is the only link to the token's page.
 */
export function AnyTokenAmount({
  token,
  units,
  digits = 8,
  aligned = false,
  unitInHead = false,
  linked = false,
}: {
  token: string;
  units: bigint;
  digits?: number;
  aligned?: boolean | number;
  unitInHead?: boolean;
  linked?: boolean;
}) {
  const network = useNetwork();
  const { symbol, decimals } = useToken(token);
  const most = aligned === true ? listDigits : Number(aligned);
  return (
    <Amount
      units={units}
      unit={{ symbol: symbol ?? "units", decimals, path: linked ? toTokenPath(network.name, token) : undefined }}
      digits={digits}
      unitInHead={unitInHead}
      {...(most > 0 && decimals > 0 && { fractionDigits: Math.min(decimals, most) })}
    />
  );
}

export function TokenLink({ token }: { token: string }) {
  const network = useNetwork();
  const { symbol } = useToken(token);
  return (
    <span className="identifier" data-lit={token.toLowerCase()}>
      <Hashmark kind="contract" id={token} />
      <AppLink href={toTokenPath(network.name, token)} className="min-w-0">
        {symbol === undefined ? <Hash value={toChecksumAddress(token)} short /> : <span title={token}>{symbol}</span>}
      </AppLink>
    </span>
  );
}

/** A token's address, for lists that already show the token's symbol. */
export function Contract({ address }: { address: string }) {
  const network = useNetwork();
  return (
    <span className="identifier" data-lit={address.toLowerCase()}>
      <AppLink href={toAddressPath(network.name, address)} className="min-w-0">
        <Hash value={toChecksumAddress(address)} short />
      </AppLink>
      <Copy value={toChecksumAddress(address)} what="address" />
    </span>
  );
}

type Held = { amount: string; balance: string | null };

/** What the holder can spend. */
export const toHeldUnits = ({ amount, balance }: Held) => BigInt(balance ?? amount);

/**
 * A balance computed from a token's transfers. If `balanceOf()` returns a different balance, shows the balance from
 * `balanceOf()` with a warning, because that is all the holder can spend.
 */
export function HeldAmount({
  token,
  row,
  aligned = false,
  unitInHead = false,
}: {
  token: string;
  row: Held;
  aligned?: boolean | number;
  unitInHead?: boolean;
}) {
  const shape = { token, digits: 16, aligned, unitInHead };
  const differs = row.balance !== null && BigInt(row.balance) !== BigInt(row.amount);
  if (!differs) return <AnyTokenAmount {...shape} units={toHeldUnits(row)} />;
  const warning = `The Transfer events add up to a different balance: ${formatInteger(BigInt(row.amount))} units`;
  return (
    <span className="inline-flex items-center gap-1.5 align-bottom" title={warning}>
      <Icon name="alert" className="text-warn" />
      <span className="sr-only">{warning}</span>
      <AnyTokenAmount {...shape} units={toHeldUnits(row)} />
    </span>
  );
}
