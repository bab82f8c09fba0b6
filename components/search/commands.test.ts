/** Tests the palette's commands: which are offered, their order, and how typed words filter them. */
import { expect, test } from "vitest";
import { keyBindings } from "@/components/layout/keys";
import { type Command, filterCommands, listCommands, type Surroundings } from "@/components/search/commands";
import { canonicalContracts } from "@/lib/contracts";
import type { Network } from "@/lib/networks";

const network: Network = {
  name: "testnet",
  label: "Testnet",
  chainId: 1,
  nativeCurrency: { name: "Coin", symbol: "COIN", decimals: 18 },
  tokens: [{ address: `0x${"aa".repeat(20)}`, symbol: "USDC", decimals: 6, eip3009: true }],
  contracts: canonicalContracts,
  embedded: true,
};
const networks = [network, { name: "mainnet", label: "Mainnet", embedded: true }];
const bare: Surroundings = { path: "/testnet/blocks", tabs: [], has: {} };

const findPath = (commands: Command[], label: string) => {
  const target = commands.find((command) => command.label === label)?.target;
  return target && "path" in target ? target.path : undefined;
};

test("offers every page in the keyboard map, and only the actions that apply to the current page", () => {
  const commands = listCommands({ ...network, embedded: false }, networks, bare);
  const pages = keyBindings.filter(({ action }) => action.kind === "go");
  expect(commands.filter(({ group }) => group === "go")).toHaveLength(pages.length);
  expect(commands.some(({ target }) => "action" in target && target.action.kind === "next")).toBe(false);
  const within = listCommands(network, networks, { ...bare, has: { next: true } });
  expect(within[0]?.target).toEqual({ action: { kind: "next" } });
});

test("offers the test accounts and the developer tools on embedded networks only", () => {
  const findTools = (embedded: boolean) => {
    const commands = listCommands({ ...network, embedded }, networks, bare);
    return ["faucet", "tools"].map((text) => filterCommands(commands, text).map(({ target }) => target));
  };
  expect(findTools(true)).toEqual([[{ path: "/testnet/accounts" }], [{ path: "/testnet/tools" }]]);
  expect(findTools(false)).toEqual([[], []]);
});

test("lists the page's tabs first, with their numbers as keys", () => {
  const tabs = [{ label: "Logs", path: "/testnet/tx/0x1/logs" }];
  const [first] = listCommands(network, networks, { ...bare, tabs });
  expect(first).toMatchObject({ keys: ["1"], target: { path: "/testnet/tx/0x1/logs" } });
});

test("finds tokens, contracts and the other network by name", () => {
  const commands = listCommands(network, networks, bare);
  expect(findPath(filterCommands(commands, "usdc"), "USDC token")).toBe(`/testnet/token/0x${"aa".repeat(20)}`);
  expect(findPath(filterCommands(commands, "permit2"), "Permit2")).toBe(
    `/testnet/address/${canonicalContracts.permit2}`,
  );
  expect(filterCommands(commands, "mainnet").map(({ target }) => target)).toEqual([{ path: "/mainnet/blocks" }]);
});

test("requires every search word in a label, and ranks matches at the start of a word first", () => {
  const labels = ["A block", "Go to locks", "Go to the pool"];
  const commands = labels.map((label): Command => ({ id: label, group: "go", label, target: { path: "/" } }));
  expect(filterCommands(commands, " lock ").map(({ label }) => label)).toEqual(["Go to locks", "A block"]);
  expect(filterCommands(commands, "bl").map(({ label }) => label)).toEqual(["A block"]);
  expect(filterCommands(commands, "GO po").map(({ label }) => label)).toEqual(["Go to the pool"]);
  expect(filterCommands(commands, "")).toHaveLength(3);
});
