/**
 * The environment, read once and turned into a typed configuration. Throws ConfigError, one sentence that names the
 * variable, before anything is opened or written.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { z } from "zod";
import type { Network } from "@/lib/networks";
import { assertOwnKey, ConfigError, readEnvironment } from "@/server/bin/environment.mjs";
import { getDevAccount, listDevAccounts } from "@/server/devAccounts";
import { findImportedNetwork } from "@/server/importedNetwork";

export type NetworkConfig = Network & {
  /** Address and balances at genesis; the well-known test mnemonic's ten by default. */
  funded: { address: `0x${string}`; balanceWei: bigint; tokenUnits: bigint }[];
  /** Absolute path of a geth genesis.json that the chain starts from in place of our own. */
  genesisFile?: string;
};

/** Where a network's chain is, when it is not ours. Apart from the network, which pages are made of: the URL is secret. */
export type PublicNode = {
  url: string;
  /** The environment variable that gave the URL, for sentences. */
  variable: string;
  /** Blocks, its own included, after which a settlement counts. */
  confirmations: number;
  /** Most that a settlement pays per gas. */
  maxFeeWei?: bigint;
};

/** Each limit answers an error that names it. */
export type Limits = {
  /** Bytes of a JSON-RPC or facilitator request body. */
  bodyBytes: number;
  /** Requests in one JSON-RPC batch. */
  batchLength: number;
  /** Bytes of one JSON-RPC answer. */
  responseBytes: number;
  /** eth_getLogs: blocks spanned, and logs answered. */
  logBlocks: number;
  logResults: number;
  feeHistoryBlocks: number;
  /** Gas and milliseconds of one call. */
  callGas: bigint;
  callTimeMs: number;
  /** Worker threads for calls, and calls that may wait for one. */
  callWorkers: number;
  callQueue: number;
  /** Filters of all clients, and of each. */
  filters: number;
  clientFilters: number;
  subscriptions: number;
  /** WebSocket connections, and subscriptions of each. */
  sockets: number;
  socketSubscriptions: number;
  /** Requests to the facilitator that one client address may make per second. */
  facilitatorRequests: number;
  poolTransactions: number;
  poolPerSender: number;
};

export type Config = {
  port: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The first is the default network. */
  networks: [NetworkConfig, ...NetworkConfig[]];
  /** By network name; those that are not in it run here. */
  publicNodes: ReadonlyMap<string, PublicNode>;
  /** Key of the account that sends settlements. Never logged. */
  facilitatorKey: `0x${string}`;
  /** Keys of further accounts that send settlements too. Never logged. */
  otherFacilitatorKeys: readonly `0x${string}`[];
  limits: Limits;
};

/** A token of our own genesis, at an address that no other chain has a contract at. */
const plainTokenAddress = "0x7011000000000000000000000000000000000001";

/** Each funded account starts with this much, in wei and in units of a token with six decimals. */
const defaultBalanceWei = 10_000n * 10n ** 18n;
const defaultTokens = 10_000n;

const addressSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hexadecimal digits")
  .transform((text) => text.toLowerCase() as `0x${string}`);
const amountSchema = z
  .string()
  .regex(/^\d{1,78}$/, "must be a decimal number in a string")
  .transform(BigInt)
  .refine((amount) => amount < 2n ** 256n, "must be below 2^256");
const textSchema = z.string().min(1).max(64);

const tokenSchema = z.strictObject({
  address: addressSchema,
  symbol: textSchema,
  decimals: z.int().min(0).max(36),
  eip712: z.strictObject({ name: textSchema, version: textSchema }).exactOptional(),
  eip3009: z.boolean(),
});

/** The file that TOLLSCAN_NETWORKS names: a list of these, the first is the default network. */
const networkSchema = z.strictObject({
  // A path segment beside the chain id: it must neither read as a number nor as one of our own paths.
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be lowercase letters, digits and hyphens")
    .refine((name) => name !== "api", "must not be api"),
  label: textSchema.exactOptional(),
  chainId: z.int().min(1),
  nativeCurrency: z.strictObject({ name: textSchema, symbol: textSchema, decimals: z.int().min(0).max(36) }),
  tokens: z.tuple([tokenSchema], tokenSchema),
  funded: z
    .array(z.strictObject({ address: addressSchema, balanceWei: amountSchema, tokenUnits: amountSchema }))
    .min(1)
    .exactOptional(),
});

const networksSchema = z.tuple([networkSchema], networkSchema);

/** Reads the environment and the networks file. Relative paths start from the project folder, root. */
export function loadConfig(env: Record<string, string | undefined>, root: string): Config {
  const { networksFile, limits, publicNodes: nodesByVariable, ...rest } = readEnvironment(env, root);
  const configured = networksFile === undefined ? listDefaultNetworks() : readNetworks(networksFile, root);
  const publicNodes = toPublicNodes(nodesByVariable, configured);
  const [variable] = [...publicNodes.values()].map((node) => node.variable);
  if (variable !== undefined) {
    const keys = [rest.facilitatorKey, ...rest.otherFacilitatorKeys];
    assertOwnKey(keys.join(","), listPublicKeys(), variable);
  }
  const [first, ...others] = configured;
  const onNodes = (network: NetworkConfig) => (publicNodes.has(network.name) ? toPublicNetwork(network) : network);
  return {
    ...rest,
    limits: { ...limits, callGas: BigInt(limits.callGas) },
    networks: withImported([onNodes(first), ...others.map(onNodes)], findImportedNetwork(rest.dataDir)),
    publicNodes,
  };
}

/** Keys of the test mnemonic that tools show: anyone may hold them. */
function listPublicKeys(): string[] {
  return Array.from({ length: 100 }, (_, index) => getDevAccount(index).privateKey);
}

/** Throws ConfigError where a variable names no network. */
function toPublicNodes(
  byVariable: Record<string, PublicNode>,
  networks: Config["networks"],
): ReadonlyMap<string, PublicNode> {
  const toKey = (name: string) => name.toUpperCase().replaceAll("-", "_");
  return new Map(
    Object.entries(byVariable).map(([key, node]) => {
      const network = networks.find(({ name }) => toKey(name) === key);
      if (network) return [network.name, node];
      const known = networks.map(({ name }) => toKey(name)).join(", ");
      throw new ConfigError(`${node.variable} names no network; those there are: ${known}.`);
    }),
  );
}

/** Nobody is funded there, and the token that only our genesis has is not there either. */
function toPublicNetwork(network: NetworkConfig): NetworkConfig {
  const tokens = network.tokens.filter(({ address }) => address !== plainTokenAddress);
  return { ...network, tokens, embedded: false, funded: [] };
}

/** A chain that was imported into the data folder comes first, and in place of a network of the same name or id. */
function withImported(configured: Config["networks"], imported: NetworkConfig | undefined): Config["networks"] {
  if (!imported) return configured;
  return [
    imported,
    ...configured.filter(({ name, chainId }) => name !== imported.name && chainId !== imported.chainId),
  ];
}

function listDefaultNetworks(): Config["networks"] {
  const usdc = (address: `0x${string}`) => ({
    address,
    symbol: "USDC",
    decimals: 6,
    eip712: { name: "USDC", version: "2" },
    eip3009: true,
  });
  // Neither EIP-3009 nor EIP-2612: what a payment takes where the token knows no signatures can be tried on it.
  const plain = {
    address: plainTokenAddress,
    symbol: "PUSD",
    decimals: 6,
    eip3009: false,
  } as const;
  const shared = { nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 }, embedded: true };
  return [
    {
      ...shared,
      name: "testnet",
      label: "Testnet",
      chainId: 10143,
      tokens: [usdc("0x534b2f3a21130d7a60830c2df862319e593943a3"), plain],
      funded: toDevFunds(6),
    },
    {
      ...shared,
      name: "mainnet",
      label: "Mainnet",
      chainId: 143,
      tokens: [usdc("0x754704bc059f8c67012fed69bc8a327a5aafb603"), plain],
      funded: toDevFunds(6),
    },
  ];
}

function toDevFunds(tokenDecimals: number): NetworkConfig["funded"] {
  const tokenUnits = defaultTokens * 10n ** BigInt(tokenDecimals);
  return listDevAccounts().map(({ address }) => ({ address, balanceWei: defaultBalanceWei, tokenUnits }));
}

function readNetworks(file: string, root: string): Config["networks"] {
  const shown = relative(root, file);
  const refuse = (why: string) => new ConfigError(`TOLLSCAN_NETWORKS names ${shown}, ${why}.`);
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
  const parsed = networksSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path.map(String).join(".");
    throw refuse(`which is wrong at ${at || "its top"}: ${(issue?.message ?? "unreadable").replace(/\.$/, "")}`);
  }
  const networks = parsed.data.map((network) => toNetworkConfig(network, refuse));
  assertUnique(networks, (network) => network.name, "the name", refuse);
  assertUnique(networks, (network) => String(network.chainId), "the chain id", refuse);
  const [first, ...others] = networks;
  if (!first) throw refuse("which lists no network");
  return [first, ...others];
}

function toNetworkConfig(
  { label, funded, tokens, ...network }: z.output<typeof networkSchema>,
  refuse: (why: string) => ConfigError,
): NetworkConfig {
  const named = (what: string) => `in network ${network.name} ${what}`;
  assertUnique(tokens, (token) => token.address, named("the token address"), refuse);
  if (funded) assertUnique(funded, (account) => account.address, named("the funded address"), refuse);
  for (const token of tokens) {
    if (token.eip3009 && !token.eip712) {
      throw refuse(`which gives token ${token.symbol} eip3009 without the eip712 name and version it is signed under`);
    }
  }
  return {
    ...network,
    tokens,
    label: label ?? network.name.charAt(0).toUpperCase() + network.name.slice(1),
    embedded: true,
    funded: funded ?? toDevFunds(tokens[0].decimals),
  };
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
