/** The title line of the pages about an address or a token: the title, the whole address, and actions. */
import type { ReactNode } from "react";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { DataLinks } from "@/components/lists/DataLinks";
import { toChecksumAddress } from "@/lib/address";

export function AddressHead({
  title,
  kind,
  address,
  method,
  children,
}: {
  title: string;
  kind: "account" | "contract";
  address: string;
  /** The request that the page's data links show. */
  method: "explorer_getAddress" | "explorer_getToken";
  /** The actions, to the left of the data links. */
  children: ReactNode;
}) {
  const shown = toChecksumAddress(address);
  return (
    <div className="page-title gap-x-4! gap-y-2! [reading-flow:flex-visual]">
      <h1 className="wrap-anywhere flex items-center gap-3">
        <Hashmark kind={kind} id={address} size={20} />
        {title}
      </h1>
      {/* On narrower screens, the whole address has a line of its own. */}
      <div className="flex min-w-0 grow basis-full sm:max-lg:order-1 lg:basis-48">
        <p className="identifier max-sm:gap-1 max-sm:[&_.hash]:text-[0.71875rem]" data-lit={address} data-copies>
          <Hash value={shown} />
          <Copy value={shown} what="address" quiet={false} />
        </p>
      </div>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:gap-x-2 max-lg:ml-auto max-sm:w-full max-sm:[&>.data-links]:ml-auto">
        {children}
        <DataLinks method={method} params={[address]} />
      </span>
    </div>
  );
}
