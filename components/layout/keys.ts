/**
 * The keyboard map: what each key does, as data, so that neither the help dialog nor the command palette can tell
 * something else than what happens.
 */
import type { Section } from "@/lib/links";
import type { DialogsKey } from "@/lib/messages/translateDialogs";

export type KeyAction =
  | { kind: "go"; to: "home" | Section }
  | {
      kind:
        | "palette"
        | "search"
        | "theme"
        | "help"
        | "pause"
        | "requests"
        | "previous"
        | "next"
        | "rowBelow"
        | "rowAbove"
        | "raw"
        | "copy";
    }
  /** The tab of that number, from 1. */
  | { kind: "tab"; index: number };

/** Two keys of a binding are pressed one after the other. */
export type KeyBinding = { keys: string[]; label: DialogsKey; action: KeyAction };

export const keyBindings: KeyBinding[] = [
  { keys: ["/"], label: "keys.search", action: { kind: "search" } },
  { keys: ["g", "h"], label: "keys.home", action: { kind: "go", to: "home" } },
  { keys: ["g", "b"], label: "keys.blocks", action: { kind: "go", to: "blocks" } },
  { keys: ["g", "t"], label: "keys.transactions", action: { kind: "go", to: "txs" } },
  { keys: ["g", "p"], label: "keys.pool", action: { kind: "go", to: "txpool" } },
  { keys: ["g", "x"], label: "keys.payments", action: { kind: "go", to: "payments" } },
  { keys: ["g", "y"], label: "keys.playground", action: { kind: "go", to: "playground" } },
  { keys: ["g", "r"], label: "keys.resources", action: { kind: "go", to: "resources" } },
  { keys: ["g", "c"], label: "keys.console", action: { kind: "go", to: "console" } },
  { keys: ["g", "s"], label: "keys.charts", action: { kind: "go", to: "charts" } },
  { keys: ["g", "n"], label: "keys.node", action: { kind: "go", to: "node" } },
  { keys: ["j"], label: "keys.rowBelow", action: { kind: "rowBelow" } },
  { keys: ["k"], label: "keys.rowAbove", action: { kind: "rowAbove" } },
  { keys: ["["], label: "keys.previous", action: { kind: "previous" } },
  { keys: ["]"], label: "keys.next", action: { kind: "next" } },
  { keys: ["."], label: "keys.pause", action: { kind: "pause" } },
  { keys: ["r"], label: "keys.requests", action: { kind: "raw" } },
  { keys: ["y"], label: "keys.copy", action: { kind: "copy" } },
  { keys: ["t"], label: "keys.theme", action: { kind: "theme" } },
  { keys: ["?"], label: "keys.help", action: { kind: "help" } },
];

/** Held down together, in text fields too; ⌘ on a Mac. */
export const paletteKeys = { keys: ["Ctrl", "K"], label: "keys.palette" } as const;

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
