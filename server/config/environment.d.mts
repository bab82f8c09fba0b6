/** Types of environment.mjs, which is plain JavaScript because it runs before anything is installed. */
import type { Limits, PublicNode } from "@/server/config/config";

export declare class ConfigError extends Error {}

export type Variable = {
  name: string;
  fallback: string;
  /** The default in words, if there is no fallback. */
  whenUnset?: string;
  meaning: string;
  /** The command's option without dashes, a word for its value, and an example. */
  option?: string;
  value?: string;
  example?: string;
};

export declare const variables: Variable[];
export declare const limits: (Variable & { limit: keyof Limits })[];

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
  allowedHosts: string[];
  allowedOrigins: string[];
  databaseUrl?: string;
  /** Names of presets, or a file. */
  networks: string;
  /** Empty if the variable isn't set. */
  facilitatorKeys: `0x${string}`[];
  isDeterministic: boolean;
  limits: Record<keyof Limits, number>;
  /** Keyed by the network's name as the variables spell it. */
  publicNodes: Record<string, PublicNode>;
};
