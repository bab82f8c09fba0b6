/**
 * Reads the environment once into a typed configuration. Throws a ConfigError that names the variable, before anything
 * is opened or written.
 */
import { randomBytes } from "node:crypto";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Labels } from "@/lib/labels";
import { type AccessRules, readAccessRules } from "@/server/config/accessRules";
import { getDevAccount } from "@/server/config/devAccounts";
import { ConfigError, readEnvironment, type StateFiles } from "@/server/config/environment.mjs";
import { findImportedNetwork } from "@/server/config/importedNetwork";
import { readLabelsFile } from "@/server/config/labelsFile";
import type { NetworkConfig, NetworkConfigs } from "@/server/config/networkConfig";
import { readNetworks } from "@/server/config/networksFile";
import { plainTokenAddress } from "@/server/config/presets";

/**
 * The remote node that serves a network's chain. It is kept apart from the network's configuration, because the URL is
 * secret and pages can see the configuration.
 */
export type PublicNode = {
  url: string;
  /** The environment variable that holds the URL, for messages. */
  variable: string;
  /** How many blocks a settlement needs before it counts, including the block that contains it. */
  confirmations: number;
  /** The maximum fee per gas that a settlement pays, in wei. */
  maxFeeWei?: bigint;
  /** The limits on what the facilitator settles on this network; see SpendingPolicy. */
  minAmount: string;
  payees?: readonly `0x${string}`[];
  payerGas: number;
  contractGas: number;
};

/** The node's limits. A request that exceeds one gets an error that names the limit. */
export type Limits = {
  /** Size of a JSON-RPC or facilitator request body in bytes. */
  bodyBytes: number;
  /** Memory for all request bodies that are still arriving, in bytes. */
  openBodyBytes: number;
  /** Requests in one JSON-RPC batch. */
  batchLength: number;
  /** Size of one JSON-RPC response in bytes. */
  responseBytes: number;
  /** eth_getLogs: block range and number of logs returned. */
  logBlocks: number;
  logResults: number;
  traceBlocks: number;
  feeHistoryBlocks: number;
  /** Gas and milliseconds per call. */
  callGas: bigint;
  callTimeMs: number;
  /**
   * How long all transactions of a block may run in total, in milliseconds. A single transaction may use half of that
   * time.
   */
  buildTimeMs: number;
  /** The number of worker threads for calls, and the number of calls that may wait for a thread. */
  callWorkers: number;
  callQueue: number;
  /** Filters in total and per client. */
  filters: number;
  clientFilters: number;
  subscriptions: number;
  /** WebSocket connections, and subscriptions per connection. */
  sockets: number;
  socketSubscriptions: number;
  /** Facilitator requests per second and client address. */
  facilitatorRequests: number;
  poolTransactions: number;
  poolPerSender: number;
  /** Database connections that the server opens; each worker thread opens up to two more. */
  databaseConnections: number;
};

export type Config = {
  port: number;
  /** Address to listen on; undefined for loopback only. */
  host?: string;
  access: AccessRules;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Postgres URL, used instead of the data folder. Contains a password: never log it. */
  databaseUrl?: string;
  stateFiles?: StateFiles;
  /** Names that the operator has given to addresses. */
  labels: Labels;
  /** Identifies this process among those that share a database. */
  instance: string;
  /** Whether the process may be suspended between requests, so that each request must finish its work. */
  isServerless: boolean;
  /** Whether all writes are lost when the process ends, because the node is serverless and has no database. */
  isTemporary: boolean;
  /** Whether the data outlives the process. */
  isKept: boolean;
  /** Whether dev controls may change the embedded chains. */
  isDeveloped: boolean;
  /** Whether `console.log` output of contracts is kept out of the log. */
  isSilent: boolean;
  /** Whether callers may send tracers written in JavaScript. */
  areScriptsAllowed: boolean;
  /** The first is the default network. */
  networks: NetworkConfigs;
  /** Keyed by network name. Networks that are not listed run in this process. */
  publicNodes: ReadonlyMap<string, PublicNode>;
  /** The configured private keys of the accounts that send settlements; empty if none are set. Never log them. */
  facilitatorKeys: readonly `0x${string}`[];
  /** Whether the node's own keys are public test keys. */
  isDeterministic: boolean;
  limits: Limits;
};

/** Reads the environment and the networks file. Relative paths are resolved against root, the project folder. */
export function loadConfig(env: Record<string, string | undefined>, root: string): Config {
  const {
    networks: names,
    limits,
    publicNodes: nodesByVariable,
    allowedHosts: _,
    allowedOrigins: __,
    chainTexts: texts,
    labelsFile,
    ...rest
  } = readEnvironment(env, root);
  const configured = readNetworks(names, root, { texts, isShared: rest.databaseUrl !== undefined });
  const publicNodes = toPublicNodes(nodesByVariable, configured);
  const [variable] = [...publicNodes.values()].map((node) => node.variable);
  if (variable !== undefined) assertOwnKeys(rest.facilitatorKeys, variable);
  const [first, ...others] = configured;
  const isTemporary = isTemporaryEnvironment(env);
  const isPrivate = rest.host === undefined && !isServerlessEnvironment(env);
  // The only place a serverless function may write to. Each process has its own folder, because several may share a
  // machine.
  const dataDir = isTemporary ? join(tmpdir(), `tollscan-${randomBytes(6).toString("hex")}`) : rest.dataDir;
  const onNodes = (network: NetworkConfig) => (publicNodes.has(network.name) ? toPublicNetwork(network) : network);
  const networks = withImported([onNodes(first), ...others.map(onNodes)], findImportedNetwork(dataDir));
  if (rest.stateFiles && !networks[0].embedded)
    throw new ConfigError(
      `${rest.stateFiles.variable} is not available on the remote or imported network ${networks[0].name}.`,
    );
  return {
    ...rest,
    dataDir,
    labels: labelsFile === undefined ? {} : readLabelsFile(labelsFile),
    instance: `${hostname()}/${process.pid}/${randomBytes(3).toString("hex")}`,
    isServerless: isServerlessEnvironment(env),
    isTemporary,
    isKept: !isTemporary,
    isDeveloped: rest.isDeveloped ?? isPrivate,
    isSilent: false,
    areScriptsAllowed: rest.areScriptsAllowed ?? isPrivate,
    access: readAccessRules(env, root),
    limits: { ...limits, callGas: BigInt(limits.callGas) },
    networks,
    publicNodes,
  };
}

/** Detected by variables that Vercel and Lambda set themselves. */
function isServerlessEnvironment(env: Record<string, string | undefined>): boolean {
  return env.VERCEL !== undefined || env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
}

/**
 * Whether a node in this environment loses its data when its process ends, because it's serverless and has no database.
 */
export function isTemporaryEnvironment(env: Record<string, string | undefined>): boolean {
  return isServerlessEnvironment(env) && env.DATABASE_URL === undefined;
}

/**
 * Throws ConfigError if a key belongs to the test mnemonic. Tools print that mnemonic's keys, so anyone may have them.
 */
function assertOwnKeys(keys: readonly string[], variable: string): void {
  const publicKeys = Array.from({ length: 100 }, (_, index): string => getDevAccount(index).privateKey);
  if (!keys.some((key) => publicKeys.includes(key))) return;
  throw new ConfigError(
    `FACILITATOR_PRIVATE_KEY must be a key of your own if ${variable} is set: this key is public, so anyone can empty its account.`,
  );
}

/** Throws ConfigError if a variable refers to an unknown network. */
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
      throw new ConfigError(`${node.variable} does not match a network; the networks are ${known}.`);
    }),
  );
}

/** A remote chain doesn't start from our genesis, so it has neither our funded accounts nor our token. */
function toPublicNetwork(network: NetworkConfig): NetworkConfig {
  const tokens = network.tokens.filter(({ address }) => address !== plainTokenAddress);
  return { ...network, tokens, embedded: false, funded: [], accounts: [], settings: {} };
}

/** A chain imported into the data folder comes first and replaces a network with the same name or id. */
function withImported(configured: NetworkConfigs, imported: NetworkConfig | undefined): NetworkConfigs {
  if (!imported) return configured;
  return [
    imported,
    ...configured.filter(({ name, chainId }) => name !== imported.name && chainId !== imported.chainId),
  ];
}
