"use client";
/** The header of every address view: the address's type and holdings, when it was first and last seen, and the tabs. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FundButton } from "@/components/accounts/FundButton";
import { AddressFacts } from "@/components/address/AddressFacts";
import { AddressHead } from "@/components/address/AddressHead";
import { addressTabs } from "@/components/address/addressTabs";
import { isAccountCode } from "@/components/address/proxy";
import { StandInNote } from "@/components/address/StandInNote";
import { useAddressCounts } from "@/components/address/useAddressCounts";
import { LabelForm } from "@/components/labels/LabelForm";
import { AppLink } from "@/components/layout/AppLink";
import { useAddressName, useNetwork, useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { toAddressPath, toTokenPath } from "@/lib/links";
import { findToken } from "@/lib/networks";
import { addressQuery, tokenQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

const views = ["transfers", "internal", "holdings"] as const;
const contractViews = ["code", "contract", "storage"] as const;

/** `address` is in lowercase. */
export function AddressFrame({ address, children }: { address: `0x${string}`; children: ReactNode }) {
  const source = useSource();
  const network = useNetwork();
  const { data: code } = useQuery(codeQuery(source, address));
  const { data: figures } = useQuery(tokenQuery(source, address));
  const { data: facts } = useQuery(addressQuery(source, address));
  const counts = useAddressCounts(address);
  const token = findToken(network, address);
  const hasCode = code !== undefined && code !== "0x";
  // Only code emits logs. A destroyed contract has none left.
  const mayHaveLogs = hasCode || Boolean(facts?.creation);
  const isContract = code !== undefined && !isAccountCode(code);
  const known = useAddressName(address);
  const kindName = isContract ? "Contract" : "Account";
  const path = toAddressPath(source.network, address);
  const isToken = Boolean(token || figures);
  // A token's own transfers are not the transfers of the token, which its page lists.
  const labels = isToken ? { ...addressTabs, transfers: "Own transfers" } : addressTabs;
  return (
    <>
      <AddressHead
        title={known && known.kind !== "token" ? known.name : token ? `${token.symbol} contract` : kindName}
        kind={isContract ? "contract" : "account"}
        address={address}
        method="explorer_getAddress"
      >
        {isToken && (
          <AppLink href={toTokenPath(source.network, address)} className="button">
            View token
          </AppLink>
        )}
        <LabelForm address={address} />
        {network.embedded && code !== undefined && !isContract && <FundButton address={address} />}
      </AddressHead>
      <StandInNote address={address} />
      <AddressFacts address={address} code={code} />
      <PageTabs
        tabs={[
          { label: addressTabs.transactions, path, count: counts?.transactions },
          ...views.map((view) => ({ label: labels[view], path: `${path}/${view}`, count: counts?.[view] })),
          ...[...(mayHaveLogs ? (["logs"] as const) : []), ...(hasCode ? contractViews : [])].map((view) => ({
            label: addressTabs[view],
            path: `${path}/${view}`,
          })),
        ]}
      />
      {children}
    </>
  );
}
