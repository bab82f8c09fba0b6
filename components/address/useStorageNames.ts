"use client";
/**
 * Names a contract's storage slots: from its storage layout if the code is known, otherwise by hashing keys from its
 * latest events. Hashing is slow, so it runs in the browser.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { listKeyPairs } from "@/lib/decode/slotRoles";
import { type KeyPair, nameSlots, type SlotName } from "@/lib/decode/slots";
import { type LaidOutSlot, type LayoutName, nameByLayout, storageLayouts } from "@/lib/decode/storageLayouts";
import { findToken } from "@/lib/networks";
import { storageSlotQuery } from "@/lib/query/explorerQueries";
import { findLayout, toKeyQueries } from "@/lib/query/storageKeys";

/** The most keys and key pairs to hash: enough to name the slots on a page. More would take too long. */
const mostKeys = 20;
const mostPairs = 100;

const zeppelinImplementation = "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3";
const neverChanges = () => () => {};

/** Likely mapping keys of a contract. `layout` is undefined if the contract's code isn't known. */
export type StorageKeys = { layout: LayoutName | undefined; accounts: string[]; pairs: KeyPair[]; topics: string[] };

/** Returns the keys in the contract's latest events. `address` is in lowercase. */
export function useStorageKeys(address: string): StorageKeys {
  const layout = useLayout(address);
  const queries = toKeyQueries(useSource(), address, layout);
  const { data: holders } = useQuery(queries.holders);
  const { data: approvals } = useQuery(queries.approvals);
  const { data: authorizations } = useQuery(queries.authorizations);
  const { data: payments } = useQuery(queries.payments);
  const { data: logs } = useQuery(queries.logs);
  return useMemo(() => {
    const events = logs?.items ?? [];
    return {
      layout,
      accounts: (holders?.items ?? []).map((holder) => holder.address),
      pairs: [
        ...listKeyPairs([...(approvals?.items ?? []), ...(authorizations?.items ?? []), ...events], []),
        // Permit2 keeps 256 nonces in one slot, so the nonce's last byte is not part of the key.
        ...(payments?.items ?? []).map(({ payer, nonce }): KeyPair => [payer, `0x00${nonce.slice(2, -2)}`]),
      ],
      topics: [...new Set(events.flatMap((log) => log.topics.slice(1)))],
    };
  }, [layout, holders, approvals, authorizations, payments, logs]);
}

/** Returns the names by slot. */
export function useStorageNames(
  { layout, accounts, pairs, topics }: StorageKeys,
  slots: readonly string[],
): ReadonlyMap<string, LaidOutSlot | SlotName> {
  const isBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const known = useMemo(
    () => layout && nameByLayout(storageLayouts[layout], accounts, pairs),
    [layout, accounts, pairs],
  );
  const found = useMemo(() => {
    if (layout !== undefined || !isBrowser) return undefined;
    return nameSlots(slots, topics.slice(0, mostKeys), pairs.slice(0, mostPairs));
  }, [layout, isBrowser, topics, pairs, slots]);
  return known ?? found ?? noNames;
}

const noNames: ReadonlyMap<string, SlotName> = new Map();

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
