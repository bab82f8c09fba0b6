/** The layout shared by an address's pages (EIP-3091): the facts about the address, and a tab for each view. */
import type { ReactNode } from "react";
import { type AddressProps, readAddress } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressFrame } from "@/components/address/AddressFrame";
import { beaconSlot, implementationSlot } from "@/components/address/proxy";
import { addressQuery, holdingsQuery, nftsQuery, storageSlotQuery, tokenQuery } from "@/lib/query/explorerQueries";
import { balanceQuery, codeQuery, nonceQuery, paymentTotalsQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

type Props = Pick<AddressProps, "params"> & { children: ReactNode };

export default async function AddressLayout({ params, children }: Props) {
  const { source, address } = await readAddress({ params });
  const { tokens, embedded } = (await getNode()).networks.get(source.network)!.network;
  return withQueries(
    [
      addressQuery(source, address),
      balanceQuery(source, address),
      nonceQuery(source, address),
      codeQuery(source, address),
      tokenQuery(source, address),
      paymentTotalsQuery(source, "payee", address),
      storageSlotQuery(source, address, implementationSlot),
      storageSlotQuery(source, address, beaconSlot),
      ...tokens.map((token) => tokenBalanceQuery(source, token.address, address)),
      // Counted on a tab. A remote node has no index, so nothing is counted there.
      ...(embedded ? [holdingsQuery(source, address), nftsQuery(source, address)] : []),
    ],
    <AddressFrame key={address} address={address}>
      {children}
    </AddressFrame>,
  );
}
