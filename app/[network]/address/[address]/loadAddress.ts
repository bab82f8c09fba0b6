/** Shared by every address view: reads the address from the path, or answers 404. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toSingle } from "@/app/[network]/loadPage";
import { type AddressView, addressTabs } from "@/components/address/addressTabs";
import { findIdentifier } from "@/lib/links";

export type AddressProps = {
  params: Promise<{ network: string; address: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** In lowercase. */
export function getAddress(segment: string): `0x${string}` {
  const identifier = findIdentifier(decodeURIComponent(segment));
  if (identifier?.kind !== "address") notFound();
  return identifier.address;
}

/** The network and address from the path, and the list's cursor. */
export async function readAddressProps({ params, searchParams }: AddressProps) {
  const { network, address } = await params;
  const query = await searchParams;
  const after = toSingle(query.after);
  return { network, address: getAddress(address), query, cursor: after === undefined ? {} : { cursor: after } };
}

export function toAddressMetadata(view: AddressView): (props: AddressProps) => Promise<Metadata> {
  return async ({ params }) => ({
    title: `${addressTabs[view]} · Address ${(await params).address.slice(0, 10)}`,
  });
}
