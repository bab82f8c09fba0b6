/**
 * What the console remembers in this browser: the newest requests, and the batch in progress. Its size is limited.
 * Invalid stored data is dropped.
 */

import { useSyncExternalStore } from "react";
import type { RpcCall } from "@/components/console/callRequest";
import { createListeners } from "@/lib/createListeners";

export type HistoryEntry = RpcCall & { network: string; atMs: number; ms: number; bytes: number; ok: boolean };
export type ConsoleMemory = { history: readonly HistoryEntry[]; batch: readonly RpcCall[] };

const storageKey = "tollscan.console";
export const maxHistory = 50;
export const maxBatch = 50;
/** Requests with longer params are not saved in the history. */
const maxParamsLength = 4_000;

const nothing: ConsoleMemory = { history: [], batch: [] };
let memory: ConsoleMemory | undefined;
const listeners = createListeners();

const isCall = (value: unknown): value is RpcCall =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as RpcCall).method === "string" &&
  Array.isArray((value as RpcCall).params);

const isEntry = (value: unknown): value is HistoryEntry => {
  if (!isCall(value)) return false;
  const { network, atMs, ms, bytes, ok } = value as HistoryEntry;
  return (
    typeof network === "string" &&
    [atMs, ms, bytes].every((figure) => typeof figure === "number") &&
    typeof ok === "boolean"
  );
};

/** Parses the stored text. Invalid parts are treated as empty. */
export function readMemory(text: string | null): ConsoleMemory {
  try {
    const { history, batch } = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return {
      history: Array.isArray(history) ? history.filter(isEntry).slice(0, maxHistory) : [],
      batch: Array.isArray(batch) ? batch.filter(isCall).slice(0, maxBatch) : [],
    };
  } catch {
    return nothing;
  }
}

function getMemory(): ConsoleMemory {
  if (memory) return memory;
  try {
    memory = readMemory(localStorage.getItem(storageKey));
  } catch {
    memory = nothing;
  }
  return memory;
}

function change(part: Partial<ConsoleMemory>): void {
  memory = { ...getMemory(), ...part };
  try {
    localStorage.setItem(storageKey, JSON.stringify(memory));
  } catch {
    // If storage is unavailable, the memory lasts until the page is closed.
  }
  listeners.announce();
}

export function remember(entry: HistoryEntry): void {
  if (JSON.stringify(entry.params).length > maxParamsLength) return;
  const isSame = (other: HistoryEntry) =>
    other.method === entry.method &&
    other.network === entry.network &&
    JSON.stringify(other.params) === JSON.stringify(entry.params);
  change({ history: [entry, ...getMemory().history.filter((other) => !isSame(other))].slice(0, maxHistory) });
}

export function forgetHistory(): void {
  change({ history: [] });
}

/** Returns false if the batch is full. */
export function addToBatch(call: RpcCall): boolean {
  const { batch } = getMemory();
  if (batch.length >= maxBatch) return false;
  change({ batch: [...batch, call] });
  return true;
}

export function removeFromBatch(index: number): void {
  change({ batch: getMemory().batch.filter((_, other) => other !== index) });
}

export function emptyBatch(): void {
  change({ batch: [] });
}

/** The console's memory. Empty on the server and in the browser's first render, because the two renders must match. */
export function useConsoleMemory(): ConsoleMemory {
  return useSyncExternalStore(listeners.add, getMemory, () => nothing);
}
