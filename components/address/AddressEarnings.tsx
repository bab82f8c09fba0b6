"use client";
/** What an address earned in the facilitator's ledger, net of refunds. Renders nothing if it was never paid. */
import { useQuery } from "@tanstack/react-query";
import { TokenAmount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { paymentTotalsQuery } from "@/lib/query/queries";
import { formatInteger } from "@/lib/units";

/** `address` is in lowercase. */
export function AddressEarnings({ address }: { address: `0x${string}` }) {
  const source = useSource();
  const { data } = useQuery(paymentTotalsQuery(source, "payee", address));
  const totals = data?.items.filter(({ asset, payments }) => asset !== null && BigInt(payments) > 0n) ?? [];
  if (totals.length === 0) return null;
  const count = totals.reduce((sum, { payments }) => sum + BigInt(payments), 0n);
  return (
    <p className="border-line border-t px-4 py-2 text-13 text-ink-2">
      Earned{" "}
      {totals.map(({ asset, settledAmount, refundedAmount }, at) => (
        <span key={asset} className="font-medium text-ink">
          {at > 0 && " + "}
          <TokenAmount units={BigInt(settledAmount) - BigInt(refundedAmount)} token={asset ?? ""} />
        </span>
      ))}{" "}
      from{" "}
      <AppLink href={toPaymentsPath(source.network, { payee: address })}>
        {formatInteger(count)} {plural(Number(count), "payment")}
      </AppLink>
    </p>
  );
}
