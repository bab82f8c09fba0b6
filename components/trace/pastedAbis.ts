"use client";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { PastedAbi } from "@/components/trace/pastedDecoder";
/**
 * ABIs that the visitor pasted. They are kept in this browser's storage. The decoder includes the ABI library, so it is
 * loaded only if there is a pasted ABI.
 */
import { createListeners } from "@/lib/createListeners";
import type { Decoder } from "@/lib/decode/decoder";

const storageKey = "tollscan.abis";
const listeners = createListeners();
let known: { text: string; abis: PastedAbi[] } = { text: "", abis: [] };

/** The stored ABIs. Returns the same array until the stored text changes. */
function listPastedAbis(): PastedAbi[] {
  const text = localStorage.getItem(storageKey) ?? "";
  if (text === known.text) return known.abis;
  known = { text, abis: parseStored(text) };
  return known.abis;
}

/** Rejects stored text that this app didn't write. */
function parseStored(text: string): PastedAbi[] {
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return [];
    return stored.filter((item): item is PastedAbi => typeof item?.name === "string" && Array.isArray(item?.abi));
  } catch {
    return [];
  }
}

/** Throws if the browser has no space left or denies access to its storage. */
export function storePastedAbis(abis: readonly PastedAbi[]): void {
  localStorage.setItem(storageKey, JSON.stringify(abis));
  listeners.announce();
}

function subscribe(listener: () => void): () => void {
  const remove = listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    remove();
    window.removeEventListener("storage", listener);
  };
}

const none: PastedAbi[] = [];

export function usePastedAbis(): PastedAbi[] {
  return useSyncExternalStore(subscribe, listPastedAbis, () => none);
}

/** Undefined if nothing was pasted, or if the decoder isn't loaded yet. */
export function usePastedDecoder(): Decoder | undefined {
  const abis = usePastedAbis();
  const [loaded, setLoaded] = useState<{ abis: PastedAbi[]; decoder: Decoder } | undefined>(undefined);
  useEffect(() => {
    if (abis.length === 0) return;
    let gone = false;
    void import("@/components/trace/pastedDecoder").then(({ createPastedDecoder }) => {
      if (!gone) setLoaded({ abis, decoder: createPastedDecoder(abis) });
    });
    return () => {
      gone = true;
    };
  }, [abis]);
  return loaded?.abis === abis ? loaded.decoder : undefined;
}
