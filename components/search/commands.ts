/**
 * The command palette's entries as data: the current page's tabs, every page, the actions that have keyboard shortcuts,
 * and the other networks. Every entry either opens a path or runs an action from keys.ts.
 */
import { toKeyLabel } from "@/components/layout/keyLabels";
import { type KeyAction, keyBindings, tabKeys } from "@/components/layout/keys";
import { findPages } from "@/components/search/searchItems";
import { toHomePath, toOtherNetworkPath, toSectionPath } from "@/lib/links";
import { findByWords } from "@/lib/names";
import type { Network, NetworkChoice } from "@/lib/networks";
import { listPages } from "@/lib/pages";

export type CommandGroup = "here" | "go" | "network" | "act";

export type Command = {
  id: string;
  group: CommandGroup;
  label: string;
  keys?: readonly string[];
  target: { path: string } | { action: KeyAction };
};

/** The properties of the current page that determine which actions apply to it. */
export type Surroundings = {
  path: string;
  tabs: { label: string; path: string }[];
  has: Partial<Record<KeyAction["kind"], boolean>>;
};

/** Actions that are offered only if there is something on the page to apply them to. */
const ofPage: readonly KeyAction["kind"][] = ["previous", "next", "copy"];
/**
 * Actions that the palette leaves out, because they open the search or a page, or make sense only as repeated key
 * presses.
 */
const left: readonly KeyAction["kind"][] = ["search", "go", "rowAbove", "rowBelow"];

export function listCommands(
  network: Network,
  networks: readonly NetworkChoice[],
  { path, tabs, has }: Surroundings,
): Command[] {
  const here: Command[] = tabs.map((tab, index) => ({
    id: `tab ${tab.path}`,
    group: "here",
    label: `Tab: ${tab.label}`,
    ...(index < Number(tabKeys.last) && { keys: [String(index + 1)] }),
    target: { path: tab.path },
  }));
  const bound = keyBindings
    .filter(({ action: { kind } }) => !left.includes(kind) && (!ofPage.includes(kind) || has[kind]))
    .map(
      ({ keys, action }): Command => ({
        id: keys.join(" "),
        keys,
        label: toKeyLabel(keys),
        group: ofPage.includes(action.kind) ? "here" : "act",
        target: { action },
      }),
    );
  const keysOf = new Map(
    keyBindings.flatMap(({ keys, action }) => {
      if (action.kind !== "go") return [];
      const to = action.to === "home" ? toHomePath(network.name) : toSectionPath(network.name, action.to);
      return [[to, keys] as const];
    }),
  );
  const pages = listPages(network).map((page): Command => {
    const keys = keysOf.get(page.path);
    return { id: page.path, group: "go", label: page.label, ...(keys && { keys }), target: { path: page.path } };
  });
  const others = networks
    .filter(({ name }) => name !== network.name)
    .map(
      (other): Command => ({
        id: `network ${other.name}`,
        group: "network",
        label: `Same page on ${other.label}`,
        target: { path: toOtherNetworkPath(path, other) },
      }),
    );
  const order: CommandGroup[] = ["here", "go", "network", "act"];
  return [...here, ...bound, ...pages, ...others].toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

export const groupLabels: Record<CommandGroup, string> = {
  here: "On this page",
  go: "Pages",
  network: "Networks",
  act: "Actions",
};

/** The commands that match the text. Commands whose label starts with the text come first. */
export function filterCommands(commands: readonly Command[], network: Network, text: string): Command[] {
  if (text.trim() === "") return [...commands];
  const byLabel = findByWords(commands, text, ({ label }) => label);
  const byWords = findPages(listPages(network), text).flatMap(
    ({ path }) => commands.find(({ id }) => id === path) ?? [],
  );
  return [...new Set([...byLabel, ...byWords])];
}
