/** Types of environment.mjs, which is plain JavaScript because it runs before anything is installed. */
import type { Limits, PublicNode } from "@/server/config/config";
import type { ForkName } from "@/server/ethereum/spec";

export declare class ConfigError extends Error {}

export type Variable = {
  name: string;
  fallback: string;
  /** The default in words, if there is no fallback. */
  whenUnset?: string;
  meaning: string;
  /**
   * The command's option without dashes, its letter, and a word for its value. An option without such a word means
   * "on".
   */
  option?: string;
  short?: string;
  value?: string;
  example?: string;
};

export declare const variables: Variable[];
export declare const limits: (Variable & { limit: keyof Limits })[];

/** How a chain that runs in this node starts and builds blocks. An unset field has its default. */
export type ChainSettings = {
  mnemonic?: string;
  accounts?: number;
  /** In wei. */
  balance?: bigint;
  /** In milliseconds. */
  blockTime?: number;
  mixedMining?: boolean;
  noMining?: boolean;
  order?: "fees" | "fifo";
  /** In seconds since the epoch. */
  timestamp?: number;
  hardhat?: boolean;
  clientName?: string;
  hardfork?: ForkName;
  gasLimit?: bigint;
  /** In wei. */
  baseFee?: bigint;
  /** In wei. */
  priorityFee?: bigint;
  codeSizeLimit?: number;
  disableCodeSizeLimit?: boolean;
  disableTxGasLimit?: boolean;
};

/** Values of chain settings as text, with the name of each for messages. */
export type ChainTexts = { [Field in keyof ChainSettings]?: { text: string; name: string } };

export declare const chainVariables: (Variable & { option: string; field: keyof ChainSettings })[];

/**
 * Throws ConfigError if a value is invalid or excludes another. `isShared`: several instances build the chain's blocks.
 */
export declare function readChainSettings(texts: ChainTexts, isShared: boolean): ChainSettings;

/** Absolute paths of files with the default network's state. */
export type StateFiles = {
  /** The environment variable that was set, for messages. */
  variable: string;
  load?: string;
  /** Whether the file to load may be missing. */
  isLoadOptional: boolean;
  dump?: string;
};

export declare const networkVariables: Variable[];

export declare function readEnvironment(
  env: Record<string, string | undefined>,
  root: string,
): {
  port: number;
  dataDir: string;
  host?: string;
  /** Whether dev controls were requested; undefined if the variable isn't set. */
  isDeveloped?: boolean;
  areScriptsAllowed?: boolean;
  allowedHosts: string[];
  allowedOrigins: string[];
  databaseUrl?: string;
  stateFiles?: StateFiles;
  labelsFile?: string;
  /** Names of presets, or a file. */
  networks: string;
  /** Empty if the variable isn't set. */
  facilitatorKeys: `0x${string}`[];
  isDeterministic: boolean;
  limits: Record<keyof Limits, number>;
  /** Keyed by the network's name as the variables spell it. */
  publicNodes: Record<string, PublicNode>;
  chainTexts: ChainTexts;
};
