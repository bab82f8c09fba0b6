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

/** `address` is in lowercase. Returns the names by slot. */
export function useStorageNames(
  address: string,
  slots: readonly string[],
): ReadonlyMap<string, LaidOutSlot | SlotName> {
  const layout = useLayout(address);
  const queries = toKeyQueries(useSource(), address, layout);
  const { data: holders } = useQuery(queries.holders);
  const { data: approvals } = useQuery(queries.approvals);
  const { data: authorizations } = useQuery(queries.authorizations);
  const { data: payments } = useQuery(queries.payments);
  const { data: logs } = useQuery(queries.logs);
  const isBrowser = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const known = useMemo(() => {
    if (layout === undefined) return undefined;
    const accounts = (holders?.items ?? []).map((holder) => holder.address);
    const pairs: KeyPair[] = [
      ...listKeyPairs([...(approvals?.items ?? []), ...(authorizations?.items ?? [])], []),
      // Permit2 keeps 256 nonces in one slot, so the nonce's last byte is not part of the key.
      ...(payments?.items ?? []).map(({ payer, nonce }): KeyPair => [payer, `0x00${nonce.slice(2, -2)}`]),
    ];
    return nameByLayout(storageLayouts[layout], accounts, pairs);
  }, [layout, holders, approvals, authorizations, payments]);
  const found = useMemo(() => {
    if (layout !== undefined || !isBrowser) return undefined;
    const events = logs?.items ?? [];
    const topics = [...new Set(events.flatMap((log) => log.topics.slice(1)))];
    return nameSlots(slots, topics.slice(0, mostKeys), listKeyPairs(events, []).slice(0, mostPairs));
  }, [layout, isBrowser, logs, slots]);
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
