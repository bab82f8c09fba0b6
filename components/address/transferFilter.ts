/** The filters for lists of transfers, as they appear in a page's URL. Invalid values are ignored. */
import { findIdentifier } from "@/lib/links";
import type { PartyTransferFilter } from "@/lib/query/explorerQueries";
import type { TransferSide } from "@/lib/rpc/explorerAddressShapes";

export function readSide(direction: string | undefined): TransferSide | undefined {
  return direction === "in" || direction === "out" ? direction : undefined;
}

function readAddress(text: string | undefined): `0x${string}` | undefined {
  const found = text === undefined ? undefined : findIdentifier(text);
  return found?.kind === "address" ? found.address : undefined;
}

/** For the transfers of an address. The token is in lowercase. */
export function readTransferFilter(query: Record<"token" | "direction", string | undefined>): PartyTransferFilter {
  const token = readAddress(query.token);
  const direction = readSide(query.direction);
  return { ...(token && { token }), ...(direction && { direction }) };
}

/** An account, in lowercase, and which side of the transfers it is on. */
export type AccountFilter = { account?: `0x${string}`; direction?: TransferSide };

/** For the transfers of a token. Without an account, there is no direction. */
export function readAccountFilter(query: Record<"account" | "direction", string | undefined>): AccountFilter {
  const account = readAddress(query.account);
  const direction = readSide(query.direction);
  return account ? { account, ...(direction && { direction }) } : {};
}

/** The parameter of explorer_getTokenTransfers. */
export const toTokenFilter = (token: string, { account, direction }: AccountFilter) =>
  account ? { party: account, token, ...(direction && { direction }) } : { token };
