"use client";
/**
 * Shows an address in the same way on every page: hashmark, name or checksummed address, link and copy button. Hovering
 * over it highlights all places where the address occurs (data-lit).
 */
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { AppLink } from "@/components/layout/AppLink";
import { useAddressName, useNetwork } from "@/components/layout/NetworkContext";
import { toChecksumAddress } from "@/lib/address";
import { toAddressPath } from "@/lib/links";
import { isContractName } from "@/lib/names";

export function AddressLink({
  address,
  full = false,
  contract = false,
  copy = full,
  current = false,
  unnamed = false,
  onNavigate,
}: {
  address: string;
  /** Shows the whole address, with its name beside it. */
  full?: boolean;
  contract?: boolean;
  copy?: boolean;
  /** Set on the address's own page, which shouldn't link to itself. */
  current?: boolean;
  /** Set if the name is shown elsewhere. */
  unnamed?: boolean;
  onNavigate?: () => void;
}) {
  const network = useNetwork();
  const known = useAddressName(address);
  const name = unnamed ? undefined : known?.name;
  const shown = toChecksumAddress(address);
  const text =
    name !== undefined && !full ? (
      <span className="address-name" title={shown}>
        {name}
      </span>
    ) : (
      <Hash value={shown} short={!full} />
    );
  const isContract = contract || isContractName(known);
  return (
    <span className={`identifier ${full ? "identifier-full" : ""}`} data-lit={address.toLowerCase()}>
      <Hashmark kind={isContract ? "contract" : "account"} id={address} />
      {current ? (
        <span className="min-w-0 text-ink-2">{text}</span>
      ) : (
        <AppLink
          href={toAddressPath(network.name, address)}
          className="min-w-0"
          {...(onNavigate && { onClick: onNavigate })}
        >
          {text}
        </AppLink>
      )}
      {name !== undefined && full && (
        <span className="address-name shrink-0 text-13 text-ink-2 max-sm:leading-6">{name}</span>
      )}
      {copy && <Copy value={shown} what="address" />}
    </span>
  );
}
