/** The filters for an address's transfers, as they appear in a page's URL. Invalid values are ignored. */
import { findIdentifier } from "@/lib/links";
import type { PartyTransferFilter } from "@/lib/query/explorerQueries";
import type { TransferSide } from "@/lib/rpc/explorerAddressShapes";

export function readSide(direction: string | undefined): TransferSide | undefined {
  return direction === "in" || direction === "out" ? direction : undefined;
}

/** The token is in lowercase. */
export function readTransferFilter({
  token,
  direction,
}: Record<"token" | "direction", string | undefined>): PartyTransferFilter {
  const named = token === undefined ? undefined : findIdentifier(token);
  const side = readSide(direction);
  return {
    ...(named?.kind === "address" && { token: named.address }),
    ...(side && { direction: side }),
  };
}
