/**
 * The text printed at startup: the URLs and the funded accounts. Private keys are shown only if they are public test
 * keys.
 */
import { getAddress } from "viem";
import { type Network, toRpcPath } from "@/lib/networks";
import type { Config } from "@/server/config/config";
import { listFundedAccounts } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Node } from "@/server/node/node";

/** Formats an amount as a whole number of tokens, with thousands separators. Drops the fraction. */
function toWhole(amount: bigint, decimals: number): string {
  return (amount / 10n ** BigInt(decimals)).toLocaleString("en");
}

/** Maximum number of accounts to show. A longer list would push the URLs off the screen. */
const shownAccounts = 100;

function listFunded(network: NetworkConfig): string[] {
  const keys = new Map(listFundedAccounts(network).map(({ address, privateKey }) => [address, privateKey]));
  const { nativeCurrency, tokens, funded } = network;
  const isEven = funded.every(
    ({ balanceWei, tokenUnits }) => balanceWei === funded[0]?.balanceWei && tokenUnits === funded[0]?.tokenUnits,
  );
  const [token] = tokens;
  if (!token || funded.length === 0) return [];
  const rows = funded.slice(0, shownAccounts).map(({ address, balanceWei, tokenUnits }) => {
    const key = keys.get(address);
    const amounts = `${toWhole(balanceWei, nativeCurrency.decimals)} ${nativeCurrency.symbol}, ${toWhole(tokenUnits, token.decimals)} ${token.symbol}`;
    return `    ${getAddress(address)}${isEven ? "" : `  ${amounts}`}${key ? `  ${key}` : ""}`;
  });
  if (funded.length > shownAccounts) rows.push(`    and ${(funded.length - shownAccounts).toLocaleString("en")} more`);
  const [first] = funded;
  const each =
    isEven && first
      ? ` (each ${toWhole(first.balanceWei, nativeCurrency.decimals)} ${nativeCurrency.symbol} and ${toWhole(first.tokenUnits, token.decimals)} ${token.symbol})`
      : "";
  const known = funded.some(({ address }) => keys.get(address))
    ? ", public test keys: never send real money to them"
    : "";
  return [`  Funded accounts${each}${known}:`, ...rows];
}

/** Says who may use the dev controls. */
function toControls({ host, isDeveloped, access }: Config): string {
  if (!isDeveloped) return `off${host === undefined ? "" : "; TOLLSCAN_DEVELOPER=on turns them on"}`;
  if (access.origins.includes("*")) return "on for everyone (TOLLSCAN_ALLOWED_ORIGINS)";
  return access.origins.length === 0
    ? "on, from this machine"
    : `on, from this machine and ${access.origins.join(", ")}`;
}

/** The URL that programs on this machine use to reach the server. */
export function toOrigin({ host, access }: Config, port: number): string {
  const isNamed = host !== undefined && !access.anyAddress;
  return `http://${isNamed ? (host.includes(":") ? `[${host}]` : host) : "localhost"}:${port}`;
}

/** Describes a running server to the program that started it. */
export type Start = {
  url: string;
  /** The first network is the default. */
  networks: StartNetwork[];
  facilitatorUrl: string;
  /** The funded accounts, with their private keys if those are public test keys. */
  accounts: { address: `0x${string}`; privateKey?: `0x${string}` }[];
};

export type StartNetwork = Pick<Network, "name" | "label" | "chainId" | "nativeCurrency" | "tokens" | "contracts"> & {
  rpcUrl: string;
};

export function toStart(config: Config, port: number): Start {
  const url = toOrigin(config, port);
  const accounts = new Map(config.networks.flatMap(listFundedAccounts).map((account) => [account.address, account]));
  return {
    url,
    networks: config.networks.map(({ name, label, chainId, nativeCurrency, tokens, contracts }) => {
      return { name, label, chainId, rpcUrl: url + toRpcPath({ name }), nativeCurrency, tokens, contracts };
    }),
    facilitatorUrl: `${url}/api/facilitator`,
    accounts: [...accounts.values()].map(({ address, privateKey }) => {
      return { address: getAddress(address), ...(privateKey && { privateKey }) };
    }),
  };
}

/** One line of JSON with a final newline: the result of `toStart`, the data folder and the process ID. */
export function toStartLine({ config }: Node, port: number, isTemporary: boolean): string {
  const dataFolder = isTemporary || config.databaseUrl !== undefined ? null : config.dataDir;
  return `${JSON.stringify({ ...toStart(config, port), dataFolder, pid: process.pid })}\n`;
}

/** Text for standard output, with a final newline. */
export function toBanner(node: Node, port: number, isTemporary: boolean): string {
  const { networks, dataDir, host } = node.config;
  const origin = toOrigin(node.config, port);
  const rpc = networks.map(
    (network, index) =>
      `  ${index === 0 ? "JSON-RPC   " : "           "} ${origin}${toRpcPath(network)}  chain id ${network.chainId}`,
  );
  // If several networks fund the same accounts with the same amounts, the list is shown only once.
  const funded = [...new Set(networks.map((network) => listFunded(network).join("\n")))].filter((text) => text !== "");
  return [
    "",
    "Tollscan is ready.",
    "",
    `  Explorer    ${origin}`,
    ...rpc,
    `  Facilitator ${origin}/api/facilitator`,
    `  Data        ${isTemporary ? "deleted when this process ends; use --data FOLDER to keep it" : dataDir}`,
    `  Open to     ${host === undefined ? "this machine only; set HOST to open it" : `everyone who can reach ${host} (HOST)`}`,
    `  Controls    ${toControls(node.config)}`,
    "",
    ...funded,
    "",
    "",
  ].join("\n");
}
