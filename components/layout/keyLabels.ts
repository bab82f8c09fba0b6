/** The labels of the keyboard shortcuts, by their keys. */
import { paletteKeys } from "@/components/layout/keys";

const labels: Record<string, string> = {
  [paletteKeys.join(" ")]: "Commands and search",
  "/": "Search",
  "g h": "Go home",
  "g b": "Go to blocks",
  "g t": "Go to transactions",
  "g o": "Go to tokens",
  "g p": "Go to the pool",
  "g x": "Go to payments",
  "g y": "Go to the playground",
  "g r": "Go to the paid resources",
  "g c": "Go to the console",
  "g s": "Go to charts",
  "g n": "Go to the node",
  "g d": "Go to the docs",
  j: "Next row (Enter opens it)",
  k: "Previous row",
  "[": "Previous block, or the sender’s previous transaction",
  "]": "Next block, or the sender’s next transaction",
  ".": "Pause or resume live updates",
  r: "Show this page’s requests",
  y: "Copy the focused (or this page’s) hash or address",
  l: "Labels: your names for addresses",
  t: "Change theme",
  "?": "Keyboard shortcuts",
};

/** Throws if the keys have no label. */
export function toKeyLabel(keys: readonly string[]): string {
  const label = labels[keys.join(" ")];
  if (label === undefined) throw new Error(`The keys ${keys.join(" ")} have no label.`);
  return label;
}
