"use client";
/** The header of every address view: the address's type and holdings, when it was first and last seen, and the tabs. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressFacts } from "@/components/address/AddressFacts";
import { addressTabs } from "@/components/address/addressTabs";
import { findDelegate } from "@/components/address/proxy";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { LabelForm } from "@/components/labels/LabelForm";
import { AppLink } from "@/components/layout/AppLink";
import { useAddressName, useNetwork, useSource } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { DataLinks } from "@/components/lists/DataLinks";
import { toChecksumAddress } from "@/lib/address";
import { toAddressPath, toTokenPath } from "@/lib/links";
import { findContractName, findToken } from "@/lib/networks";
import { tokenQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

const views = ["transfers", "internal", "holdings", "logs"] as const;
const contractViews = ["code", "contract", "storage"] as const;

/** `address` is in lowercase. */
export function AddressFrame({ address, children }: { address: `0x${string}`; children: ReactNode }) {
  const source = useSource();
  const network = useNetwork();
  const { data: code } = useQuery(codeQuery(source, address));
  const { data: figures } = useQuery(tokenQuery(source, address));
  const token = findToken(network, address);
  const hasCode = code !== undefined && code !== "0x";
  const isContract = hasCode && findDelegate(code) === undefined;
  // The names are reliable on an embedded chain, because the chain creates these contracts at genesis. On a remote
  // network, they could be wrong.
  const ownName = network.embedded ? findContractName(network, address) : undefined;
  const known = useAddressName(address);
  const path = toAddressPath(source.network, address);
  return (
    <>
      <div className="page-title gap-y-2!">
        <h1 className="wrap-anywhere">
          {known && known.kind !== "token"
            ? known.name
            : token
              ? `${token.symbol} token`
              : isContract
                ? "Contract"
                : "Account"}
        </h1>
        {/* Takes the rest of the line, so that the actions are at its right end, or at the left end of the next line. */}
        <div className="flex min-w-0 grow max-sm:basis-full">
          <p className="identifier" data-lit={address} data-copies>
            <Hashmark kind={isContract ? "contract" : "account"} id={address} size={20} />
            <Hash value={toChecksumAddress(address)} />
            <Copy value={toChecksumAddress(address)} what="address" quiet={false} />
          </p>
        </div>
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:w-full max-sm:[&>.data-links]:ml-auto">
          {(token || figures) && (
            <AppLink href={toTokenPath(source.network, address)} className="button">
              View token
            </AppLink>
          )}
          <LabelForm address={address} />
          <DataLinks method="explorer_getAddress" params={[address]} />
        </span>
      </div>
      {ownName !== undefined && (
        <p className="text-13 text-ink-2">
          This is Tollscan’s stand-in for the real {ownName}: same interface and behavior, different bytecode.
        </p>
      )}
      <AddressFacts address={address} code={code} />
      <PageTabs
        tabs={[
          { label: addressTabs.transactions, path },
          ...views.map((view) => ({ label: addressTabs[view], path: `${path}/${view}` })),
          ...(hasCode ? contractViews.map((view) => ({ label: addressTabs[view], path: `${path}/${view}` })) : []),
        ]}
      />
      {children}
    </>
  );
}
