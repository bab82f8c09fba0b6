/** Types of environment.mjs, which is plain JavaScript because it runs before anything is installed. */
import type { Limits } from "@/server/config";

export declare class ConfigError extends Error {}

export type Variable = { name: string; fallback: string; meaning: string };

export declare const variables: Variable[];
export declare const limits: (Variable & { limit: keyof Limits })[];

export declare function readEnvironment(
  env: Record<string, string | undefined>,
  root: string,
): {
  port: number;
  dataDir: string;
  networksFile: string | undefined;
  facilitatorKey: `0x${string}`;
  limits: Record<keyof Limits, number>;
};
