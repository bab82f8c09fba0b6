/**
 * What every view of an address does first: read the address from the path, or answer 404.
 */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toSingle } from "@/app/[network]/loadPage";
import { findIdentifier } from "@/lib/links";
import { t } from "@/lib/messages/translateAddress";

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

/** Network and address of the path, and the place in its list. */
export async function readAddressProps({ params, searchParams }: AddressProps) {
  const { network, address } = await params;
  const query = await searchParams;
  const after = toSingle(query.after);
  return { network, address: getAddress(address), query, cursor: after === undefined ? {} : { cursor: after } };
}

export function toAddressMetadata(
  view: "transactions" | "transfers" | "internal" | "holdings" | "logs" | "code" | "contract" | "storage",
): (props: AddressProps) => Promise<Metadata> {
  return async ({ params }) => ({
    title: `${t(`address.tab.${view}`)} · ${t("address.facts")} ${(await params).address.slice(0, 10)}`,
  });
}
