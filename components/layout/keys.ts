/**
 * The keyboard shortcuts as data: what each key does. The help dialog and the command palette are built from this data.
 * Every page loads it, so the labels that only those two show are in keyLabels.ts.
 */
import type { Section } from "@/lib/links";

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
        | "labels"
        | "previous"
        | "next"
        | "rowBelow"
        | "rowAbove"
        | "raw"
        | "copy";
    }
  /** Selects the tab with this number. The first tab is 1. */
  | { kind: "tab"; index: number };

/** A shortcut. If it has two keys, they are pressed one after the other. */
export type KeyBinding = { keys: string[]; action: KeyAction };

export const keyBindings: KeyBinding[] = [
  { keys: ["/"], action: { kind: "search" } },
  { keys: ["g", "h"], action: { kind: "go", to: "home" } },
  { keys: ["g", "b"], action: { kind: "go", to: "blocks" } },
  { keys: ["g", "t"], action: { kind: "go", to: "txs" } },
  { keys: ["g", "o"], action: { kind: "go", to: "tokens" } },
  { keys: ["g", "p"], action: { kind: "go", to: "txpool" } },
  { keys: ["g", "x"], action: { kind: "go", to: "payments" } },
  { keys: ["g", "y"], action: { kind: "go", to: "playground" } },
  { keys: ["g", "r"], action: { kind: "go", to: "resources" } },
  { keys: ["g", "c"], action: { kind: "go", to: "console" } },
  { keys: ["g", "s"], action: { kind: "go", to: "charts" } },
  { keys: ["g", "n"], action: { kind: "go", to: "node" } },
  { keys: ["g", "d"], action: { kind: "go", to: "docs" } },
  { keys: ["j"], action: { kind: "rowBelow" } },
  { keys: ["k"], action: { kind: "rowAbove" } },
  { keys: ["["], action: { kind: "previous" } },
  { keys: ["]"], action: { kind: "next" } },
  { keys: ["."], action: { kind: "pause" } },
  { keys: ["r"], action: { kind: "raw" } },
  { keys: ["y"], action: { kind: "copy" } },
  { keys: ["l"], action: { kind: "labels" } },
  { keys: ["t"], action: { kind: "theme" } },
  { keys: ["?"], action: { kind: "help" } },
];

/** These keys are pressed together, and work in text fields too. On a Mac, Ctrl is ⌘. */
export const paletteKeys = ["Ctrl", "K"];

/** The number keys, which select tabs. */
export const tabKeys = { first: "1", last: "9" } as const;

/**
 * Finds the action for a key, given the previous key. Returns undefined if the key is unbound or only starts a pair.
 */
export function findAction(key: string, before: string | undefined): KeyAction | undefined {
  const pair = keyBindings.find(({ keys }) => keys.length === 2 && keys[0] === before && keys[1] === key);
  if (pair) return pair.action;
  if (key >= tabKeys.first && key <= tabKeys.last && key.length === 1) return { kind: "tab", index: Number(key) };
  return keyBindings.find(({ keys }) => keys.length === 1 && keys[0] === key)?.action;
}
