/**
 * Reads a node's networks from TOLLSCAN_NETWORKS, which contains names of presets or the path of a file. A network in
 * the file may be a preset with changes. No address may have two uses, because the genesis gives each address only one
 * account.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { type Contracts, canonicalContracts, contractKeys } from "@/lib/contracts";
import { type DevAccount, faucetIndex, getDevAccount, isMnemonic, listDevAccounts } from "@/server/config/devAccounts";
import {
  type ChainSettings,
  type ChainTexts,
  ConfigError,
  chainVariables,
  readChainSettings,
} from "@/server/config/environment.mjs";
import type { NetworkConfig, NetworkConfigs } from "@/server/config/networkConfig";
import { getPreset } from "@/server/config/presets";
import { systemContracts } from "@/server/ethereum/systemContracts";

/** What each funded account has at genesis by default, in wei and in whole tokens. */
const defaultBalanceWei = 10_000n * 10n ** 18n;
const defaultTokens = 10_000n;

const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x followed by 40 hexadecimal digits")
  .transform((text) => text.toLowerCase() as `0x${string}`);
const amountSchema = z
  .string()
  .regex(/^\d{1,78}$/, "must be a string with a whole number")
  .transform(BigInt)
  .refine((amount) => amount < 2n ** 256n, "must be below 2^256");
const textSchema = z.string().min(1).max(64);

const tokenSchema = z.strictObject({
  address: addressSchema,
  symbol: textSchema,
  decimals: z.int().min(0).max(36),
  eip712: z.strictObject({ name: textSchema, version: textSchema }).exactOptional(),
  eip3009: z.boolean(),
  eip2612: z.boolean().exactOptional(),
});

const contractsSchema = z.strictObject({
  permit2: addressSchema.exactOptional(),
  exactPermit2Proxy: addressSchema.exactOptional(),
  uptoPermit2Proxy: addressSchema.exactOptional(),
  multicall3: addressSchema.exactOptional(),
  create2Deployer: addressSchema.exactOptional(),
} satisfies Record<keyof Contracts, unknown>);

const settingSchema = z.union([z.string(), z.number(), z.boolean()]).exactOptional();

const networkSchema = z.strictObject({
  ...(Object.fromEntries(chainVariables.map(({ field }) => [field, settingSchema])) as Record<
    keyof ChainSettings,
    typeof settingSchema
  >),
  // A network's name is part of URL paths, so it must neither look like a number nor match another path.
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be at most 32 lowercase letters, digits and hyphens, starting with a letter")
    .refine((name) => name !== "api", "must not be api"),
  label: textSchema.exactOptional(),
  chainId: z.int().min(1),
  nativeCurrency: z.strictObject({ name: textSchema, symbol: textSchema, decimals: z.int().min(0).max(36) }),
  tokens: z.tuple([tokenSchema], tokenSchema),
  contracts: contractsSchema.exactOptional(),
  funded: z
    .array(z.strictObject({ address: addressSchema, balanceWei: amountSchema, tokenUnits: amountSchema }))
    .min(1)
    .exactOptional(),
});

/** The first is the default network. */
const networksSchema = z.tuple([networkSchema], networkSchema);

/** The chain IDs of the networks with the `contract` profile. All others have the `ethereum` profile. */
const contractChainIds = [10143, 143];

/** The chain ID of anvil and Hardhat's node. Anvil accepts transactions of any size; Hardhat's node doesn't. */
const developmentChainId = 31337;

/** The chain settings in the environment. A networks file may override them for each network. */
export type ChainDefaults = { texts: ChainTexts; isShared: boolean };

/** Reads the networks from names of presets, or from a file whose path is relative to `root`. Throws ConfigError. */
export function readNetworks(
  names: string,
  root: string,
  defaults: ChainDefaults = { texts: {}, isShared: false },
): NetworkConfigs {
  const isFile = /[./\\]/.test(names);
  const refuse = (why: string) => new ConfigError(`TOLLSCAN_NETWORKS is ${names}, ${why}.`);
  const given = isFile
    ? readFile(resolve(root, names), refuse)
    : names.split(",").map((name) => getPreset(name.trim()));
  const parsed = networksSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path.map(String).join(".");
    throw refuse(
      `which is invalid at ${at || "its top level"}: ${(issue?.message ?? "unreadable").replace(/\.$/, "")}`,
    );
  }
  const networks = parsed.data.map((network) => toNetworkConfig(network, defaults, refuse));
  assertUnique(networks, (network) => network.name, "the name", refuse);
  assertUnique(networks, (network) => String(network.chainId), "the chain ID", refuse);
  const [first, ...others] = networks;
  if (!first) throw refuse("which does not list a network");
  return [first, ...others];
}

/** The file's networks, with the fields of their presets filled in. */
function readFile(file: string, refuse: (why: string) => ConfigError): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw refuse("which cannot be read");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse("which is not JSON");
  }
  return Array.isArray(json) ? json.map(fillFromPreset) : json;
}

function fillFromPreset(network: unknown): unknown {
  if (typeof network !== "object" || network === null || !("preset" in network)) return network;
  const { preset, ...changes } = network;
  return { ...getPreset(String(preset)), ...changes };
}

/** The chain settings in the environment, overridden by the settings in the network's own entry. */
function toSettings(
  network: z.output<typeof networkSchema>,
  { texts, isShared }: ChainDefaults,
  refuse: (why: string) => ConfigError,
): ChainSettings {
  const own: ChainTexts = {};
  for (const { field } of chainVariables) {
    const value = network[field];
    if (value === undefined) continue;
    own[field] = { text: typeof value === "boolean" ? (value ? "on" : "off") : String(value), name: field };
  }
  try {
    const settings = readSettings({ ...texts, ...own }, isShared);
    if (network.chainId === developmentChainId) settings.disableTxGasLimit ??= !settings.hardhat;
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigError) || Object.keys(own).length === 0) throw error;
    throw refuse(`whose network ${network.name} is invalid: ${error.message.replace(/\.$/, "")}`);
  }
}

function readSettings(texts: ChainTexts, isShared: boolean): ChainSettings {
  const settings = readChainSettings(texts, isShared);
  if (settings.mnemonic === undefined || isMnemonic(settings.mnemonic)) return settings;
  throw new ConfigError(`${texts.mnemonic?.name} is not a BIP-39 phrase: a word or the checksum is wrong.`);
}

/**
 * Every listed account gets the same amounts. If the faucet's account isn't listed, it is added, so that the faucet has
 * tokens.
 */
function toDevFunds(accounts: readonly DevAccount[], balanceWei: bigint, decimals: number): NetworkConfig["funded"] {
  const tokenUnits = defaultTokens * 10n ** BigInt(decimals);
  const funded = accounts.map(({ address }) => ({ address, balanceWei, tokenUnits }));
  const { address: faucet } = getDevAccount(faucetIndex);
  if (accounts.some(({ address }) => address === faucet)) return funded;
  return [...funded, { address: faucet, balanceWei: defaultBalanceWei, tokenUnits }];
}

function toNetworkConfig(
  network: z.output<typeof networkSchema>,
  defaults: ChainDefaults,
  refuse: (why: string) => ConfigError,
): NetworkConfig {
  const { name, chainId, nativeCurrency, label, tokens, contracts } = network;
  const { mnemonic, accounts: count, balance = defaultBalanceWei, ...settings } = toSettings(network, defaults, refuse);
  const accounts = listDevAccounts(count, mnemonic);
  const funded = network.funded ?? toDevFunds(accounts, balance, tokens[0].decimals);
  const refuseHere = (why: string) => refuse(`${why} in network ${name}`);
  assertUnique(tokens, (token) => token.address, "the token address", refuseHere);
  assertUnique(funded, (account) => account.address, "the funded address", refuseHere);
  for (const token of tokens) {
    const signed = token.eip3009 ? "eip3009" : token.eip2612 ? "eip2612" : undefined;
    if (signed && !token.eip712) {
      throw refuse(`which sets ${signed} for token ${token.symbol} without an eip712 name and version`);
    }
  }
  const total = funded.reduce((sum, { tokenUnits }) => sum + tokenUnits, 0n);
  for (const { symbol, decimals } of tokens) {
    if ((total * 10n ** BigInt(decimals)) / 10n ** BigInt(tokens[0].decimals) >= 2n ** 256n) {
      throw refuseHere(`which funds accounts with more ${symbol} than 256 bits can hold`);
    }
  }
  const configured = {
    name,
    chainId,
    nativeCurrency,
    tokens,
    contracts: { ...canonicalContracts, ...contracts },
    label: label ?? name.charAt(0).toUpperCase() + name.slice(1),
    profile: contractChainIds.includes(chainId) ? "contract" : "ethereum",
    embedded: true,
    funded,
    accounts,
    settings,
  } as const;
  assertDistinct(configured, refuse);
  return configured;
}

/** Throws the error from `refuse` if an address has two uses, because genesis gives each address only one account. */
function assertDistinct(
  { name, tokens, contracts, funded }: NetworkConfig,
  refuse: (why: string) => ConfigError,
): void {
  const uses: [use: string, address: string][] = [
    ...systemContracts.map(({ eip, address }): [string, string] => [`the system contract of EIP-${eip}`, address]),
    ...contractKeys.map((key): [string, string] => [`contracts.${key}`, contracts[key]]),
    ...tokens.map(({ symbol, address }): [string, string] => [`token ${symbol}`, address]),
    ...funded.map(({ address }): [string, string] => ["a funded account", address]),
  ];
  const faucet = getDevAccount(faucetIndex).address;
  const known = new Map<string, string>();
  for (const [use, given] of uses) {
    const address = given.toLowerCase();
    // The genesis funds the faucet's account, so its address can't have another use. The file may still list it as a
    // funded account, to give it a different balance.
    const isFaucet = address === faucet && use !== "a funded account";
    const other = known.get(address) ?? findReservedUse(address) ?? (isFaucet ? "the faucet's account" : undefined);
    if (other !== undefined)
      throw refuse(`which uses the address ${address} for both ${other} and ${use} in network ${name}`);
    known.set(address, use);
  }
}

/**
 * Returns the use of a reserved address: the zero address, any precompile up to EIP-2537's last one, or EIP-7951's
 * precompile.
 */
function findReservedUse(address: string): string | undefined {
  const value = BigInt(address);
  if (value === 0n) return "the zero account";
  return value <= 0x11n || value === 0x100n ? "a precompile" : undefined;
}

function assertUnique<T>(
  items: T[],
  toKey: (item: T) => string,
  what: string,
  refuse: (why: string) => ConfigError,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const key = toKey(item);
    if (seen.has(key)) throw refuse(`which uses ${what} ${key} twice`);
    seen.add(key);
  }
}
