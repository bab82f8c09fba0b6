/** Tests the palette's commands: which ones are offered, in which order, and how typed words filter them. */
import { expect, test } from "vitest";
import { keyBindings } from "@/components/layout/keys";
import { type Command, filterCommands, listCommands, type Surroundings } from "@/components/search/commands";
import { canonicalContracts } from "@/lib/contracts";
import type { Network } from "@/lib/networks";
import { listPages } from "@/lib/pages";

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

test("offers every page with its keys, and only the actions that apply to the current page", () => {
  const remote = { ...network, embedded: false };
  const commands = listCommands(remote, networks, bare);
  expect(commands.filter(({ group }) => group === "go").map(({ label }) => label)).toEqual(
    listPages(remote).map(({ label }) => label),
  );
  for (const { action, keys } of keyBindings.filter(({ action: { kind } }) => kind === "go")) {
    const path = action.kind === "go" && action.to !== "home" ? `/testnet/${action.to}` : "/testnet";
    expect(commands).toContainEqual(expect.objectContaining({ keys, target: { path } }));
  }
  expect(commands.some(({ target }) => "action" in target && target.action.kind === "next")).toBe(false);
  const within = listCommands(network, networks, { ...bare, has: { next: true } });
  expect(within[0]?.target).toEqual({ action: { kind: "next" } });
});

test("offers the test accounts and the developer tools on embedded networks only", () => {
  const findTools = (embedded: boolean) => {
    const here = { ...network, embedded };
    const commands = listCommands(here, networks, bare);
    return ["faucet", "developer tools"].map((text) =>
      filterCommands(commands, here, text).map(({ target }) => target),
    );
  };
  expect(findTools(true)).toEqual([[{ path: "/testnet/accounts" }], [{ path: "/testnet/tools" }]]);
  expect(findTools(false)).toEqual([[], []]);
});

test("lists the page's tabs first, with their numbers as keys", () => {
  const tabs = [{ label: "Logs", path: "/testnet/tx/0x1/logs" }];
  const [first] = listCommands(network, networks, { ...bare, tabs });
  expect(first).toMatchObject({ keys: ["1"], target: { path: "/testnet/tx/0x1/logs" } });
});

test("finds pages by their name and by other words, and the other network", () => {
  const commands = listCommands(network, networks, bare);
  const find = (text: string) => filterCommands(commands, network, text);
  expect(findPath(find("failure"), "Failure lab")).toBe("/testnet/playground/failures");
  expect(findPath(find("keccak"), "Encode and decode")).toBe("/testnet/tools/encode");
  expect(findPath(find("ship"), "Docs: Test before you ship")).toBe("/testnet/docs#test");
  for (const text of ["add network", "explorer url", "rpc url", "chain id"]) {
    expect(findPath(find(text), "Connect to this network"), text).toBe("/testnet#connect");
  }
  expect(find("mempool").map(({ label }) => label)).toEqual(["Pool"]);
  expect(find("mainnet").map(({ target }) => target)).toEqual([{ path: "/mainnet/blocks" }]);
  expect(find("")).toHaveLength(commands.length);
});
