"use client";
/** The header of every token view: the contract's metadata, and the tabs for holders, transfers and signatures. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressHead } from "@/components/address/AddressHead";
import { addressTabs } from "@/components/address/addressTabs";
import { StandInNote } from "@/components/address/StandInNote";
import { Amount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { Sheet } from "@/components/layout/Sheet";
import { PaymentMethods, paymentMethodsHint } from "@/components/token/PaymentMethods";
import { selectors } from "@/components/token/tokenSelectors";
import { useToken, useTotalSupply } from "@/components/token/useToken";
import { findShownAnswer } from "@/lib/decode/words";
import { toAddressPath, toTokenPath } from "@/lib/links";
import { findToken } from "@/lib/networks";
import { tokenQuery, viewQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import { formatInteger, toExactDigits } from "@/lib/units";

/** `address` is in lowercase. */
export function TokenFrame({ address, children }: { address: `0x${string}`; children: ReactNode }) {
  const source = useSource();
  const { symbol } = useToken(address);
  const { data: code } = useQuery(codeQuery(source, address));
  const { data: figures } = useQuery(tokenQuery(source, address));
  const path = toTokenPath(source.network, address);
  return (
    <>
      <AddressHead
        title={symbol === undefined ? "Token" : `${symbol} token`}
        kind="contract"
        address={address}
        method="explorer_getToken"
      >
        {code !== "0x" && (
          <>
            <AppLink href={toAddressPath(source.network, address)} className="button max-sm:px-2.5!">
              View contract
            </AppLink>
            <AppLink href={`${toAddressPath(source.network, address)}/contract`} className="button max-sm:px-2.5!">
              {addressTabs.contract}
            </AppLink>
          </>
        )}
      </AddressHead>
      {code === "0x" ? (
        <Sheet>
          <Empty level="h2" icon="search" title="No contract at this address">
            <AppLink href={toAddressPath(source.network, address)} className="button">
              View address
            </AppLink>
          </Empty>
        </Sheet>
      ) : (
        <>
          <StandInNote address={address} />
          <TokenFacts address={address} />
          <PageTabs
            tabs={[
              { label: "Holders", path, count: toCount(figures?.holders) },
              { label: "Transfers", path: `${path}/transfers`, count: toCount(figures?.transfers) },
              { label: "Signatures", path: `${path}/signatures` },
            ]}
          />
          {children}
        </>
      )}
    </>
  );
}

const toCount = (count: string | undefined) => count && formatInteger(BigInt(count));

function TokenFacts({ address }: { address: string }) {
  const source = useSource();
  const token = useToken(address);
  const units = useTotalSupply(address);
  const { data: name } = useQuery(viewQuery(source, address, selectors.name));
  const ownName = findShownAnswer(name, 100);
  const domain = findToken(useNetwork(), address)?.eip712;
  return (
    <Sheet>
      {/* On tablets, these short facts fit into one line. */}
      <div className="md:max-lg:*:auto-cols-fr md:max-lg:*:grid-flow-col md:max-lg:*:grid-cols-none">
        <InfoList strip label="Token">
          {ownName !== undefined && ownName !== token.symbol && (
            <InfoRow label="Name" request={viewQuery(source, address, selectors.name).queryKey}>
              {ownName}
            </InfoRow>
          )}
          <InfoRow label="Total supply" request={viewQuery(source, address, selectors.totalSupply).queryKey}>
            {units === undefined ? (
              <NoAnswer />
            ) : (
              <Amount
                copy
                units={units}
                unit={{ symbol: token.symbol ?? "units", decimals: token.decimals }}
                fractionDigits={toExactDigits(units, token.decimals)}
              />
            )}
          </InfoRow>
          <InfoRow label="Decimals" request={viewQuery(source, address, selectors.decimals).queryKey}>
            {token.decimals}
          </InfoRow>
          {domain && (
            <InfoRow label="EIP-712 domain" hint="The name and version that payers sign">
              {domain.name}, version {domain.version}
            </InfoRow>
          )}
          <InfoRow label="Payment methods" hint={paymentMethodsHint}>
            <PaymentMethods token={address} />
          </InfoRow>
        </InfoList>
      </div>
    </Sheet>
  );
}

function NoAnswer() {
  return <span className="text-ink-3">Not reported by the contract</span>;
}
