/**
 * The keyboard map: what each key does, as data, so that the help dialog cannot tell something else than what happens.
 */
import type { PlainKey } from "@/lib/messages/translate";

export type KeyAction =
  | { kind: "go"; to: "home" | "blocks" | "txs" | "txpool" | "payments" }
  | { kind: "search" | "theme" | "help" | "pause" | "requests" | "previous" | "next" | "raw" | "copy" }
  /** The tab of that number, from 1. */
  | { kind: "tab"; index: number };

export type KeyBinding = { keys: string[]; label: PlainKey; action: KeyAction };

export const keyBindings: KeyBinding[] = [
  { keys: ["/"], label: "keys.search", action: { kind: "search" } },
  { keys: ["g", "h"], label: "keys.home", action: { kind: "go", to: "home" } },
  { keys: ["g", "b"], label: "keys.blocks", action: { kind: "go", to: "blocks" } },
  { keys: ["g", "t"], label: "keys.transactions", action: { kind: "go", to: "txs" } },
  { keys: ["g", "p"], label: "keys.pool", action: { kind: "go", to: "txpool" } },
  { keys: ["g", "x"], label: "keys.payments", action: { kind: "go", to: "payments" } },
  { keys: ["["], label: "keys.previous", action: { kind: "previous" } },
  { keys: ["]"], label: "keys.next", action: { kind: "next" } },
  { keys: ["."], label: "keys.pause", action: { kind: "pause" } },
  { keys: ["r"], label: "keys.requests", action: { kind: "raw" } },
  { keys: ["y"], label: "keys.copy", action: { kind: "copy" } },
  { keys: ["t"], label: "keys.theme", action: { kind: "theme" } },
  { keys: ["?"], label: "keys.help", action: { kind: "help" } },
];

/** Tabs go by their number; one line of help tells them all. */
export const tabKeys = { first: "1", last: "9", label: "keys.tab" } as const;

/**
 * The action that a key completes, given the key pressed just before it. A first key of a pair completes nothing.
 */
export function findAction(key: string, before: string | undefined): KeyAction | undefined {
  const pair = keyBindings.find(({ keys }) => keys.length === 2 && keys[0] === before && keys[1] === key);
  if (pair) return pair.action;
  if (key >= tabKeys.first && key <= tabKeys.last && key.length === 1) return { kind: "tab", index: Number(key) };
  return keyBindings.find(({ keys }) => keys.length === 1 && keys[0] === key)?.action;
}
