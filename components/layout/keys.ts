/**
 * The keyboard shortcuts as data: what each key does. The help dialog and the command palette are built from this data.
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
export type KeyBinding = { keys: string[]; label: string; action: KeyAction };

export const keyBindings: KeyBinding[] = [
  { keys: ["/"], label: "Search", action: { kind: "search" } },
  { keys: ["g", "h"], label: "Go home", action: { kind: "go", to: "home" } },
  { keys: ["g", "b"], label: "Go to blocks", action: { kind: "go", to: "blocks" } },
  { keys: ["g", "t"], label: "Go to transactions", action: { kind: "go", to: "txs" } },
  { keys: ["g", "p"], label: "Go to the pool", action: { kind: "go", to: "txpool" } },
  { keys: ["g", "x"], label: "Go to payments", action: { kind: "go", to: "payments" } },
  { keys: ["g", "y"], label: "Go to the playground", action: { kind: "go", to: "playground" } },
  { keys: ["g", "r"], label: "Go to the paid resources", action: { kind: "go", to: "resources" } },
  { keys: ["g", "c"], label: "Go to the console", action: { kind: "go", to: "console" } },
  { keys: ["g", "s"], label: "Go to charts", action: { kind: "go", to: "charts" } },
  { keys: ["g", "n"], label: "Go to the node", action: { kind: "go", to: "node" } },
  { keys: ["j"], label: "Next row (Enter opens it)", action: { kind: "rowBelow" } },
  { keys: ["k"], label: "Previous row", action: { kind: "rowAbove" } },
  { keys: ["["], label: "Previous block, or the sender’s previous transaction", action: { kind: "previous" } },
  { keys: ["]"], label: "Next block, or the sender’s next transaction", action: { kind: "next" } },
  { keys: ["."], label: "Pause or resume live updates", action: { kind: "pause" } },
  { keys: ["r"], label: "Show this page’s requests", action: { kind: "raw" } },
  { keys: ["y"], label: "Copy the focused (or this page’s) hash or address", action: { kind: "copy" } },
  { keys: ["l"], label: "Labels: your names for addresses", action: { kind: "labels" } },
  { keys: ["t"], label: "Change theme", action: { kind: "theme" } },
  { keys: ["?"], label: "Keyboard shortcuts", action: { kind: "help" } },
];

/** These keys are pressed together, and work in text fields too. On a Mac, Ctrl is ⌘. */
export const paletteKeys = { keys: ["Ctrl", "K"], label: "Commands and search" } as const;

/** The number keys, which select tabs. The help dialog lists all of them in one line. */
export const tabKeys = { first: "1", last: "9", label: "Go to a tab by its number" } as const;

/**
 * Finds the action for a key, given the previous key. Returns undefined if the key is unbound or only starts a pair.
 */
export function findAction(key: string, before: string | undefined): KeyAction | undefined {
  const pair = keyBindings.find(({ keys }) => keys.length === 2 && keys[0] === before && keys[1] === key);
  if (pair) return pair.action;
  if (key >= tabKeys.first && key <= tabKeys.last && key.length === 1) return { kind: "tab", index: Number(key) };
  return keyBindings.find(({ keys }) => keys.length === 1 && keys[0] === key)?.action;
}
