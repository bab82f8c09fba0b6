/**
 * Queries for a contract's holders, events and payments. Their results contain likely mapping keys, which are used to
 * name storage slots.
 */
import { isSameAddress } from "@/lib/contracts";
import { eventTopics } from "@/lib/decode/selectors";
import { findWordAddress, toWord } from "@/lib/decode/slots";
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

/** The events whose two indexed arguments may be the keys of a nested mapping. null stands for any event. */
function listKeyEvents(layout: LayoutName | undefined): (string | null)[] {
  const { Approval, AuthorizationUsed, AuthorizationCanceled } = eventTopics;
  switch (layout) {
    case undefined:
      return [null];
    case "Permit2":
      return [];
    case "PlainToken":
      return [Approval];
    default:
      return [Approval, AuthorizationUsed, AuthorizationCanceled];
  }
}

/**
 * The queries that return the contract's likely keys. With `key`, an address or 32 bytes in hex, only events and payments
 * with that key. `enabled` is false if the contract's layout doesn't need the query.
 */
export function toKeyQueries(source: Source, address: string, layout: LayoutName | undefined, key?: string) {
  const isToken = layout !== undefined && layout !== "Permit2";
  const word = key && `0x${toWord(key)}`;
  const payer = word && findWordAddress(word);
  const topics = listKeyEvents(layout);
  const filters = word
    ? topics.flatMap((topic) => [
        [topic, word],
        [topic, null, word],
      ])
    : // Without a layout, only a lookup of a key hashes pairs of keys.
      topics.filter((topic) => topic !== null).map((topic) => [topic]);
  return {
    holders: { ...holdersQuery(source, address, undefined, most), enabled: isToken && key === undefined },
    payments: {
      ...paymentsQuery(source, undefined, most, payer ? { payer } : {}),
      enabled: layout === "Permit2" && (key === undefined || payer !== undefined),
    },
    events: filters.map((filter) => addressLogsQuery(source, address, filter, undefined, most)),
  };
}
