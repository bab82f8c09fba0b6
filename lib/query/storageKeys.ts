/**
 * Queries for a contract's holders, events and payments. Their results contain likely mapping keys, which are used to
 * name storage slots.
 */
import { isSameAddress } from "@/lib/contracts";
import { eventTopics } from "@/lib/decode/selectors";
import type { LayoutName } from "@/lib/decode/storageLayouts";
import { findToken, type Network } from "@/lib/networks";
import { addressLogsQuery, holdersQuery } from "@/lib/query/explorerQueries";
import { paymentsQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";

/** The maximum number of rows per request. */
const most = 100;

/** The storage layout of a contract whose code is known because this node placed the contract in genesis. */
export function findLayout(network: Network, address: string): LayoutName | undefined {
  if (!network.embedded) return undefined;
  if (isSameAddress(address, network.contracts.permit2)) return "Permit2";
  const token = findToken(network, address);
  return token && (token.eip3009 ? "Token" : "PlainToken");
}

/**
 * The queries that return the contract's likely keys. `enabled` is false if the contract's layout doesn't need the
 * query.
 */
export function toKeyQueries(source: Source, address: string, layout: LayoutName | undefined) {
  const isToken = layout !== undefined && layout !== "Permit2";
  const logs = (topics: string[]) => addressLogsQuery(source, address, topics, undefined, most);
  return {
    holders: { ...holdersQuery(source, address, undefined, most), enabled: isToken },
    approvals: { ...logs([eventTopics.Approval]), enabled: isToken },
    authorizations: { ...logs([eventTopics.AuthorizationUsed]), enabled: isToken && layout !== "PlainToken" },
    payments: { ...paymentsQuery(source, undefined, most), enabled: layout === "Permit2" },
    logs: { ...logs([]), enabled: layout === undefined },
  };
}
