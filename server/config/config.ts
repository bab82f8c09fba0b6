/**
 * Reads the environment into a typed configuration, once. If a variable is wrong, throws a ConfigError that names it,
 * before anything is opened or written.
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
 * The remote node that serves a network's chain. It isn't part of the network's configuration, because pages can see
 * that configuration and the URL is secret.
 */
export type PublicNode = {
  url: string;
  /** The environment variable that holds the URL, for error messages. */
  variable: string;
  /** How many blocks a settlement needs before it counts, including the block that contains it. */
  confirmations: number;
  /** The maximum fee per gas that the facilitator pays for a settlement, in wei. */
  maxFeeWei?: bigint;
  /** The limits on what the facilitator settles on this network. See SpendingPolicy. */
  minAmount: string;
  payees?: readonly `0x${string}`[];
  payerGas: number;
  contractGas: number;
};

/** The node's limits. If a request exceeds a limit, the error names that limit. */
export type Limits = {
  /** The size of a JSON-RPC or facilitator request body, in bytes. */
  bodyBytes: number;
  /** The memory for all request bodies that are still arriving, in bytes. */
  openBodyBytes: number;
  /** The number of requests in one JSON-RPC batch. */
  batchLength: number;
  /** The size of one JSON-RPC response, in bytes. */
  responseBytes: number;
  /** For eth_getLogs: the number of blocks in the range, and the number of logs in the result. */
  logBlocks: number;
  logResults: number;
  traceBlocks: number;
  feeHistoryBlocks: number;
  /** The gas and the milliseconds that a call may use. */
  callGas: bigint;
  callTimeMs: number;
  /**
   * How long all transactions in a block may take in total, in milliseconds. A single transaction may use half of that
   * time.
   */
  buildTimeMs: number;
  /** The number of worker threads for calls, and the number of calls that may wait for a thread. */
  callWorkers: number;
  callQueue: number;
  /** The number of filters in total and per client. */
  filters: number;
  clientFilters: number;
  subscriptions: number;
  /** The number of WebSocket connections, and of subscriptions per connection. */
  sockets: number;
  socketSubscriptions: number;
  /** The number of facilitator requests per second from one client address. */
  facilitatorRequests: number;
  poolTransactions: number;
  poolPerSender: number;
  /** The number of database connections that the server opens. Each worker thread opens up to two more. */
  databaseConnections: number;
};

export type Config = {
  port: number;
  /** The address to listen on. If undefined, the server only listens on loopback. */
  host?: string;
  access: AccessRules;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** The URL of the Postgres database to use instead of the data folder. It contains a password, so never log it. */
  databaseUrl?: string;
  stateFiles?: StateFiles;
  /** Names that the operator has given to addresses. */
  labels: Labels;
  /** Identifies this process among those that share a database. */
  instance: string;
  /** Whether the process may be suspended between requests, so that each request must finish its work. */
  isServerless: boolean;
  /** Whether all data is lost when the process ends, because the node is serverless and has no database. */
  isTemporary: boolean;
  /** Whether the data outlives the process. */
  isKept: boolean;
  /** Whether the dev controls of the embedded chains are on. */
  isDeveloped: boolean;
  /** Whether contracts' `console.log` output is kept out of the log. */
  isSilent: boolean;
  /** Whether callers may send tracers written in JavaScript. */
  areScriptsAllowed: boolean;
  /** The first is the default network. */
  networks: NetworkConfigs;
  /** The remote nodes, keyed by network name. Networks that are not listed run in this process. */
  publicNodes: ReadonlyMap<string, PublicNode>;
  /** The configured private keys of the accounts that send settlements; empty if none are set. Never log them. */
  facilitatorKeys: readonly `0x${string}`[];
  /** Whether the node's own keys are public test keys. */
  isDeterministic: boolean;
  limits: Limits;
};

/** Reads the environment and the networks file. Relative paths are resolved against `root`, the project folder. */
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
  // A serverless function can't write anywhere else. Each process has its own folder, because several processes may
  // share a machine.
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

/** Checks for variables that Vercel and Lambda set themselves. */
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
 * Throws ConfigError if a key belongs to the test mnemonic. Tools print that mnemonic's keys, so anyone may know them.
 */
function assertOwnKeys(keys: readonly string[], variable: string): void {
  const publicKeys = Array.from({ length: 100 }, (_, index): string => getDevAccount(index).privateKey);
  if (!keys.some((key) => publicKeys.includes(key))) return;
  throw new ConfigError(
    `FACILITATOR_PRIVATE_KEY must be a key of your own if ${variable} is set: the default key is public, so anyone can empty its account.`,
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

/** Removes what exists only in our own genesis: a remote chain has neither our funded accounts nor our plain token. */
function toPublicNetwork(network: NetworkConfig): NetworkConfig {
  const tokens = network.tokens.filter(({ address }) => address !== plainTokenAddress);
  return { ...network, tokens, embedded: false, funded: [], accounts: [], settings: {} };
}

/** A chain that was imported into the data folder comes first and replaces any network with the same name or ID. */
function withImported(configured: NetworkConfigs, imported: NetworkConfig | undefined): NetworkConfigs {
  if (!imported) return configured;
  return [
    imported,
    ...configured.filter(({ name, chainId }) => name !== imported.name && chainId !== imported.chainId),
  ];
}
