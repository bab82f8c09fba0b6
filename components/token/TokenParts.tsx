"use client";
/**
 * A token's amount and link as lists show them, whatever token it is.
 */
import { Amount } from "@/components/chain/Amount";
import { Hash } from "@/components/chain/Hash";
import { Hashmark } from "@/components/chain/Hashmark";
import { useNetwork } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
import { useToken } from "@/components/token/useToken";
import { toTokenPath } from "@/lib/links";
import { t } from "@/lib/messages/translate";

export function AnyTokenAmount({ token, units, digits = 8 }: { token: string; units: bigint; digits?: number }) {
  const { symbol, decimals } = useToken(token);
  return <Amount units={units} unit={{ symbol: symbol ?? t("amount.units"), decimals }} digits={digits} />;
}

export function TokenLink({ token }: { token: string }) {
  const network = useNetwork();
  const { symbol } = useToken(token);
  return (
    <span className="identifier" data-lit={token.toLowerCase()}>
      <Hashmark kind="contract" id={token} />
      <AppLink href={toTokenPath(network.name, token)} className="min-w-0">
        {symbol === undefined ? <Hash value={token} characters={13} /> : <span title={token}>{symbol}</span>}
      </AppLink>
    </span>
  );
}
