/** The accounts that send settlements, each with its balance and its number of transactions. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { listDigits, NativeAmount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { plural } from "@/lib/plural";
import { balanceQuery, nonceQuery } from "@/lib/query/queries";
import { formatInteger } from "@/lib/units";

export function FacilitatorRelayers({ signers }: { signers: readonly string[] }) {
  return (
    <Sheet
      id="relayers"
      title={plural(signers.length, "Relayer")}
      aside={
        <p className="text-13 text-ink-2">
          {plural(signers.length, "Sends settlements and pays the gas", "Send settlements and pay the gas")}
        </p>
      }
    >
      <div className="divide-y divide-line max-sm:[&_.info-row:has(.identifier)]:grid-cols-1! max-sm:[&_.info-row]:grid-cols-[7rem_minmax(0,1fr)]!">
        {signers.map((signer) => (
          <Relayer key={signer} address={signer} />
        ))}
      </div>
    </Sheet>
  );
}

function Relayer({ address }: { address: string }) {
  const source = useSource();
  const { data: balance } = useQuery(balanceQuery(source, address));
  const { data: sent } = useQuery(nonceQuery(source, address));
  return (
    <InfoList label="Relayer">
      <InfoRow label="Account">
        {/* The name is on its own line, so that the address fits. The copy button is always visible. */}
        <span className="[&_.address-name]:leading-6 [&_.quiet]:opacity-100 [&_.address-name]:-order-1 [&_.address-name]:max-w-full [&_.address-name]:basis-full [&_.identifier]:flex-wrap [&_.identifier]:gap-y-0">
          <AddressLink full address={address} />
        </span>
      </InfoRow>
      <InfoRow label="Balance">
        {balance !== undefined && <NativeAmount wei={BigInt(balance)} fractionDigits={listDigits} />}
      </InfoRow>
      <InfoRow label="Transactions sent">{sent !== undefined && formatInteger(BigInt(sent))}</InfoRow>
    </InfoList>
  );
}
