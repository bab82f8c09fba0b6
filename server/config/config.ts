/**
 * The environment, read once and turned into a typed configuration. Throws ConfigError, one sentence that names the
 * variable, before anything is opened or written.
 */
import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { getDevAccount } from "@/server/config/devAccounts";
import { assertOwnKey, ConfigError, readEnvironment } from "@/server/config/environment.mjs";
import { findImportedNetwork } from "@/server/config/importedNetwork";
import type { NetworkConfig, NetworkConfigs } from "@/server/config/networkConfig";
import { listDefaultNetworks, plainTokenAddress, readNetworks } from "@/server/config/networksFile";

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
  /** Connections to the database that the server opens; each worker thread opens up to two more. */
  databaseConnections: number;
};

/** Whom the node answers, and who may change its chain without a signature. */
export type AccessRules = {
  /** Names besides loopback that a Host header may have, without port; "*" stands for any. */
  hosts: readonly string[];
  /** Origins besides loopback that may change the chain; "*" stands for everyone, with an Origin or without. */
  origins: readonly string[];
  /** Whether the server listens on every address of the machine, so that a Host may be any IP address. */
  anyAddress: boolean;
};

export type Config = {
  port: number;
  /** Address to listen on; undefined for loopback alone. */
  host?: string;
  access: AccessRules;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Postgres, in place of the data folder. Carries a password: never logged. */
  databaseUrl?: string;
  /** Names this process among those on one database. */
  instance: string;
  /** Whether the process may sleep between requests: then each leaves nothing to do. */
  isServerless: boolean;
  /** Whether all that is written is lost with the process: it may end at any time and there is no database. */
  isTemporary: boolean;
  /** Whether the embedded chains may be changed by hand. */
  isDeveloped: boolean;
  /** The first is the default network. */
  networks: NetworkConfigs;
  /** By network name; those that are not in it run here. */
  publicNodes: ReadonlyMap<string, PublicNode>;
  /** Key of the account that sends settlements. Never logged. */
  facilitatorKey: `0x${string}`;
  /** Keys of further accounts that send settlements too. Never logged. */
  otherFacilitatorKeys: readonly `0x${string}`[];
  limits: Limits;
};

/** Reads the environment and the networks file. Relative paths start from the project folder, root. */
export function loadConfig(env: Record<string, string | undefined>, root: string): Config {
  const {
    networksFile,
    limits,
    publicNodes: nodesByVariable,
    allowedHosts,
    allowedOrigins,
    ...rest
  } = readEnvironment(env, root);
  const configured = networksFile === undefined ? listDefaultNetworks() : readNetworks(networksFile, root);
  const publicNodes = toPublicNodes(nodesByVariable, configured);
  const [variable] = [...publicNodes.values()].map((node) => node.variable);
  if (variable !== undefined) {
    const keys = [rest.facilitatorKey, ...rest.otherFacilitatorKeys];
    assertOwnKey(keys.join(","), listPublicKeys(), variable);
  }
  const [first, ...others] = configured;
  const isTemporary = isTemporaryEnvironment(env);
  // The one place that a function may write to; each process its own, since several may share a machine.
  const dataDir = isTemporary ? join(tmpdir(), `tollscan-${randomBytes(6).toString("hex")}`) : rest.dataDir;
  const onNodes = (network: NetworkConfig) => (publicNodes.has(network.name) ? toPublicNetwork(network) : network);
  return {
    ...rest,
    dataDir,
    instance: `${hostname()}/${process.pid}/${randomBytes(3).toString("hex")}`,
    isServerless: isServerlessEnvironment(env),
    isTemporary,
    isDeveloped: rest.isDeveloped ?? (rest.host === undefined && !isServerlessEnvironment(env)),
    access: toAccessRules(env, rest.host, allowedHosts, allowedOrigins),
    limits: { ...limits, callGas: BigInt(limits.callGas) },
    networks: withImported([onNodes(first), ...others.map(onNodes)], findImportedNetwork(dataDir)),
    publicNodes,
  };
}

const vercelUrls = ["VERCEL_URL", "VERCEL_BRANCH_URL", "VERCEL_PROJECT_PRODUCTION_URL"];

/** A deployment on Vercel answers under the names Vercel gave it, and its own pages may use what changes the chain. */
function toAccessRules(
  env: Record<string, string | undefined>,
  host: string | undefined,
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
): AccessRules {
  const platform = vercelUrls.flatMap((name) => env[name]?.toLowerCase() ?? []);
  const own = host === undefined ? [] : [isIPv6(host) ? `[${host}]` : host];
  return {
    hosts: [...allowedHosts, ...own, ...platform],
    origins: [...allowedOrigins, ...platform.map((name) => `https://${name}`)],
    anyAddress: host === "0.0.0.0" || host === "::",
  };
}

/** By what Vercel and Lambda set by themselves. */
function isServerlessEnvironment(env: Record<string, string | undefined>): boolean {
  return env.VERCEL !== undefined || env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
}

/** Whether a node of this environment keeps nothing: functions without a database. Reads nothing else. */
export function isTemporaryEnvironment(env: Record<string, string | undefined>): boolean {
  return isServerlessEnvironment(env) && env.DATABASE_URL === undefined;
}

/** Keys of the test mnemonic that tools show: anyone may hold them. */
function listPublicKeys(): string[] {
  return Array.from({ length: 100 }, (_, index) => getDevAccount(index).privateKey);
}

/** Throws ConfigError where a variable names no network. */
function toPublicNodes(
  byVariable: Record<string, PublicNode>,
  networks: NetworkConfigs,
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
function withImported(configured: NetworkConfigs, imported: NetworkConfig | undefined): NetworkConfigs {
  if (!imported) return configured;
  return [
    imported,
    ...configured.filter(({ name, chainId }) => name !== imported.name && chainId !== imported.chainId),
  ];
}
