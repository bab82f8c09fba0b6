/**
 * The command palette's entries as data: the keyboard map's actions, the tabs and contracts of the current page, and
 * the other networks. Every entry is a path or an action of keys.ts, so the palette cannot do more than the page.
 */
import { type KeyAction, keyBindings, tabKeys } from "@/components/layout/keys";
import { contractKeys, contractNames } from "@/lib/contracts";
import { toAddressPath, toHomePath, toOtherNetworkPath, toSectionPath, toTokenPath } from "@/lib/links";
import type { Network, NetworkChoice } from "@/lib/networks";

export type CommandGroup = "here" | "go" | "contract" | "network" | "act";

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

/** Actions that are offered only if the page has something to apply them to. */
const ofPage: readonly KeyAction["kind"][] = ["previous", "next", "copy"];
/** Actions that the palette omits, because they open the search or are meant for repeated key presses. */
const left: readonly KeyAction["kind"][] = ["search", "rowAbove", "rowBelow"];

/** Pages that only embedded networks have and that no shortcut key opens. */
const embeddedPages = [
  ["Go to the test accounts and the faucet", "accounts"],
  ["Go to the developer tools", "tools"],
] as const;

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
    .map(({ keys, label, action }): Command => {
      const base = { id: label, keys, label };
      if (action.kind !== "go")
        return { ...base, group: ofPage.includes(action.kind) ? "here" : "act", target: { action } };
      const to = action.to === "home" ? toHomePath(network.name) : toSectionPath(network.name, action.to);
      return { ...base, group: "go", target: { path: to } };
    });
  const keyless = network.embedded ? embeddedPages : [];
  const pages = keyless.map(
    ([label, section]): Command => ({
      id: label,
      group: "go",
      label,
      target: { path: toSectionPath(network.name, section) },
    }),
  );
  const tokens = network.tokens.map(
    ({ symbol, address }): Command => ({
      id: address,
      group: "contract",
      label: `${symbol} token`,
      target: { path: toTokenPath(network.name, address) },
    }),
  );
  const contracts = contractKeys.flatMap((key): Command[] => {
    const address = network.contracts[key];
    if (!address) return [];
    return [
      { id: key, group: "contract", label: contractNames[key], target: { path: toAddressPath(network.name, address) } },
    ];
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
  const order: CommandGroup[] = ["here", "go", "contract", "network", "act"];
  return [...here, ...bound, ...pages, ...tokens, ...contracts, ...others].toSorted(
    (a, b) => order.indexOf(a.group) - order.indexOf(b.group),
  );
}

export const groupLabels: Record<CommandGroup, string> = {
  here: "On this page",
  go: "Pages",
  contract: "Contracts of this network",
  network: "Networks",
  act: "Actions",
};

/**
 * The commands whose label contains every word of the text. Labels with a word that starts with the text's first word
 * come first.
 */
export function filterCommands(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...commands];
  const begins = ({ label }: Command) =>
    label
      .toLowerCase()
      .split(/[\s:]+/)
      .some((word) => word.startsWith(words[0]!));
  return commands
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
}
