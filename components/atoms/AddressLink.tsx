"use client";
/**
 * An address as every page shows it: hashmark, configured name if there is one, link and copy button. Hovering over it
 * highlights every occurrence of the address (data-lit).
 */
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toAddressPath } from "@/lib/links";
import { findContractName } from "@/lib/networks";

/** Characters of an address in a list: enough to show both ends; the hashmark covers the rest. */
const shortAddress = 13;

export function AddressLink({
  address,
  full = false,
  contract = false,
  copy = full,
  current = false,
}: {
  address: string;
  full?: boolean;
  contract?: boolean;
  copy?: boolean;
  /** Set on the address's own page, so that it is not a link. */
  current?: boolean;
}) {
  const network = useNetwork();
  const name = findContractName(network, address);
  const text =
    name && !full ? (
      <span title={address}>{name}</span>
    ) : full ? (
      <Hash value={address} />
    ) : (
      <Hash value={address} characters={shortAddress} />
    );
  return (
    <span className="identifier" data-lit={address.toLowerCase()}>
      <Hashmark kind={contract || name ? "contract" : "account"} id={address} />
      {current ? (
        <span className="min-w-0 text-ink-2">{text}</span>
      ) : (
        <AppLink href={toAddressPath(network.name, address)} className="min-w-0">
          {text}
        </AppLink>
      )}
      {name && full && <span className="shrink-0 font-sans text-13 text-ink-2">{name}</span>}
      {copy && <Copy value={address} what="address" />}
    </span>
  );
}
