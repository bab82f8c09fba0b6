/** Shared by all address and token views: reads the address from the path, or returns 404. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, type SearchParams, toSingle } from "@/app/[network]/loadPage";
import { type AddressView, addressTabs } from "@/components/address/addressTabs";
import { toShortHex } from "@/lib/address";
import { findIdentifier } from "@/lib/links";
import type { Source } from "@/lib/query/source";

type AddressParams = { params: Promise<{ network: string; address: string }> };
export type AddressProps = AddressParams & { searchParams: SearchParams };

/** Returns the network named in the path, and the address in lowercase. */
export async function readAddress({ params }: AddressParams): Promise<{ source: Source; address: `0x${string}` }> {
  const { network, address } = await params;
  const source = await getSource(network);
  const identifier = findIdentifier(decodeURIComponent(address));
  if (identifier?.kind !== "address") notFound();
  return { source, address: identifier.address };
}

/** Like `readAddress`, but also reads the query string and the list's cursor. */
export async function readAddressProps(props: AddressProps) {
  const query = await props.searchParams;
  return { ...(await readAddress(props)), query, cursor: toSingle(query.after) };
}

export function toAddressMetadata(view: AddressView): (props: AddressProps) => Promise<Metadata> {
  return async ({ params }) => ({
    title: `${addressTabs[view]} · Address ${toShortHex((await params).address)}`,
  });
}
