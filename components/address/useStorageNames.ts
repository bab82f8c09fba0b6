"use client";
/** Names a contract's storage slots from the keys that the node finds, and from its storage layout if the code is known. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { listKeyPairs } from "@/lib/decode/slotRoles";
import { type KeyPair, nameSlots, type SlotName, toEntry } from "@/lib/decode/slots";
import {
  findEntry,
  type LaidOutSlot,
  type LayoutName,
  nameByLayout,
  type StorageLayout,
  storageLayouts,
} from "@/lib/decode/storageLayouts";
import { findToken } from "@/lib/networks";
import { slotKeysQuery, storageSlotQuery } from "@/lib/query/explorerQueries";
import { findLayout, toKeyQueries } from "@/lib/query/storageKeys";
import type { WireLog } from "@/lib/query/wire";
import type { SlotKeysRow } from "@/lib/rpc/explorerAddressShapes";

const zeppelinImplementation = "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3";

/** Likely mapping keys of a contract. `layout` is undefined if the contract's code isn't known. */
export type StorageKeys = { layout: LayoutName | undefined; accounts: string[]; pairs: KeyPair[] };

/**
 * Returns the keys in the contract's latest events. With `key`, only those that occur together with it. `address` is in
 * lowercase.
 */
export function useStorageKeys(address: string, key: string | undefined): StorageKeys {
  const layout = useLayout(address);
  const queries = toKeyQueries(useSource(), address, layout, key);
  const { data: holders } = useQuery(queries.holders);
  const { data: payments } = useQuery(queries.payments);
  const events = useQueries({ queries: queries.events, combine: joinItems });
  return useMemo(
    () => ({
      layout,
      accounts: (holders?.items ?? []).map((holder) => holder.address),
      pairs: [
        ...listKeyPairs(events, []),
        // Permit2 keeps 256 nonces in one slot, so the nonce's last byte is not part of the key.
        ...(payments?.items ?? []).map(({ payer, nonce }): KeyPair => [payer, `0x00${nonce.slice(2, -2)}`]),
      ],
    }),
    [layout, holders, payments, events],
  );
}

const joinItems = (results: { data?: { items: WireLog[] } | undefined }[]) =>
  results.flatMap(({ data }) => data?.items ?? []);

/**
 * Returns the names by slot. The node finds the keys of slots that a transaction wrote. If the layout is known, other
 * slots, such as those of the genesis block, are found by hashing likely keys.
 */
export function useStorageNames(
  address: string,
  { layout, accounts, pairs }: StorageKeys,
  slots: readonly string[],
  block: number | undefined,
): ReadonlyMap<string, LaidOutSlot | SlotName> {
  const { data: rows = noRows } = useQuery(slotKeysQuery(useSource(), address, slots, block));
  const known = useMemo(
    () => layout && nameByLayout(storageLayouts[layout], accounts, pairs),
    [layout, accounts, pairs],
  );
  return useMemo(() => {
    const variables: StorageLayout = layout === undefined ? [] : storageLayouts[layout];
    const ofRows = rows.map((row) => [row.slot, findEntry(row, variables) ?? toEntry(row)] as const);
    return new Map<string, LaidOutSlot | SlotName>([...ofRows, ...(known ?? nameSlots(slots, []))]);
  }, [layout, rows, known, slots]);
}

const noRows: readonly SlotKeysRow[] = [];

/** On a fork, a token behind Circle's proxy has the storage layout of Circle's token. */
function useLayout(address: string): LayoutName | undefined {
  const network = useNetwork();
  const isForked = !network.embedded && findToken(network, address)?.eip3009 === true;
  const { data: word } = useQuery({
    ...storageSlotQuery(useSource(), address, zeppelinImplementation),
    enabled: isForked,
  });
  return isForked && word !== undefined && BigInt(word) !== 0n ? "FiatToken" : findLayout(network, address);
}
