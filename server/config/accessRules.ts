/**
 * Reads the access rules from the environment. They have their own file because proxy.ts needs no other part of the
 * configuration.
 */
import { isIPv6 } from "node:net";
import { readEnvironment } from "@/server/config/environment.mjs";

/** Which requests the node accepts, and which of them may change its chain without a signature. */
export type AccessRules = {
  /** Host names, without port, that are allowed in addition to loopback; "*" allows any host. */
  hosts: readonly string[];
  /**
   * Origins that may change the chain, in addition to loopback; "*" allows every client, with or without an Origin
   * header.
   */
  origins: readonly string[];
  /**
   * Whether the server listens on all of the machine's addresses. If it does, the Host header may be any IP address.
   */
  anyAddress: boolean;
};

const vercelUrls = ["VERCEL_URL", "VERCEL_BRANCH_URL", "VERCEL_PROJECT_PRODUCTION_URL"];

/**
 * A deployment on Vercel responds to the host names that Vercel assigned, and its own pages may use the dev controls.
 * Throws ConfigError.
 */
export function readAccessRules(env: Record<string, string | undefined>, root: string): AccessRules {
  const { host, allowedHosts, allowedOrigins } = readEnvironment(env, root);
  const platform = vercelUrls.flatMap((name) => env[name]?.toLowerCase() ?? []);
  const own: string[] = host === undefined ? [] : [isIPv6(host) ? `[${host}]` : host];
  return {
    hosts: [...allowedHosts, ...own, ...platform],
    origins: [...allowedOrigins, ...platform.map((name) => `https://${name}`)],
    anyAddress: host === "0.0.0.0" || host === "::",
  };
}
