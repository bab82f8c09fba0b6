/** The ledger's totals: volume, and the numbers of payments, sellers, payers and failures. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { TokenAmount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toPaymentsPath } from "@/lib/links";
import { earningsQuery } from "@/lib/query/queries";
import type { Earning } from "@/lib/rpc/explorerShapes";
import { formatInteger } from "@/lib/units";
import { FailedCount } from "./FailedCount";
import { toTokenShape } from "./paymentAmount";

export function PaymentSummary() {
  const { network, source } = useNetworkContext();
  const query = earningsQuery(source, "payee");
  const { data } = useQuery(query);
  if (!data || data.items.length === 0) return null;
  const { items, payers, cut } = data;
  const sum = (name: "payments" | "settled" | "failed") =>
    items.reduce((total, item) => total + BigInt(item[name]), 0n);
  const [failed, settled] = [sum("failed"), sum("settled")];
  return (
    <Sheet>
      <InfoList label="Summary" strip request={query.queryKey}>
        <InfoRow label="Volume">
          <span className="flex flex-wrap gap-x-3">
            {toVolumes(items).map(([asset, units]) => (
              <TokenAmount
                key={asset}
                units={units}
                token={asset}
                // As in the lists below.
                fractionDigits={toTokenShape(network, [{ units, asset }]).fractionDigits}
              />
            ))}
          </span>
        </InfoRow>
        <InfoRow label="Settled payments" hint="Includes zero-amount payments, which need no transaction">
          {formatInteger(sum("payments"))}
        </InfoRow>
        <InfoRow label="Payees">{formatInteger(BigInt(new Set(items.map(({ subject }) => subject)).size))}</InfoRow>
        <InfoRow label={cut ? "Payers, latest 2,000" : "Payers"}>{formatInteger(BigInt(payers))}</InfoRow>
        <InfoRow label={cut ? "Failed, latest 2,000" : "Failed"}>
          <FailedCount failed={failed} settled={settled} href={toPaymentsPath(network.name, { state: "failed" })} />
        </InfoRow>
      </InfoList>
    </Sheet>
  );
}

function toVolumes(items: readonly Earning[]): [asset: string, units: bigint][] {
  const volumes = new Map<string, bigint>();
  for (const { asset, settledAmount } of items) {
    if (asset !== null) volumes.set(asset, (volumes.get(asset) ?? 0n) + BigInt(settledAmount));
  }
  return [...volumes];
}
