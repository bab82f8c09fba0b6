"use client";
/** Remembers what the visitor last opened from a search, in this browser only. */
import { useSyncExternalStore } from "react";
import type { SearchItem } from "@/components/search/searchItems";

const storageKey = "tollscan-recent";
const kept = 20;
const shown = 6;
const none: readonly SearchItem[] = [];
let current: readonly SearchItem[] | undefined;

function isItem(value: unknown): value is SearchItem {
  const { kind, title, path } = (value ?? {}) as Record<string, unknown>;
  // Stored text is untrusted, so only paths on this site are followed.
  return typeof kind === "string" && typeof title === "string" && typeof path === "string" && /^\/[a-z]/.test(path);
}

function getRecents(): readonly SearchItem[] {
  if (current) return current;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    current = Array.isArray(stored) ? stored.filter(isItem).slice(0, kept) : none;
  } catch {
    current = none;
  }
  return current;
}

export function addRecent(item: SearchItem): void {
  current = [item, ...getRecents().filter(({ path }) => path !== item.path)].slice(0, kept);
  for (const listener of listeners) listener();
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // If storage is unavailable, recents are kept only until the page is closed.
  }
}

const listeners = new Set<() => void>();
function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The network's recents, newest first. */
export function useRecents(network: string): SearchItem[] {
  const recents = useSyncExternalStore(subscribe, getRecents, () => none);
  return recents.filter(({ path }) => path.startsWith(`/${network}/`) || path === `/${network}`).slice(0, shown);
}
