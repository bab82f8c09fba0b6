/** Sets up a new user's environment and makes the user's first payment, for cleanClone.ts and cleanInstall.ts. */
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";
import { getDevAccount } from "@/server/config/devAccounts";

export const toSeconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/**
 * Returns this process's environment with an empty npm cache, without Tollscan's settings and without the variables
 * that npm sets for scripts.
 */
export function toTerminalEnv(folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) {
    if (/^(npm_|TOLLSCAN_|NETWORK_|DATABASE_URL$|FACILITATOR_|INIT_CWD$)/i.test(name)) delete env[name];
  }
  return { ...env, npm_config_cache: join(folder, "npm") };
}

/** Pays for a resource with the published client at its default settings. Returns the transaction's hash. */
export async function payOnBaseSepolia(origin: string): Promise<string> {
  const payer = privateKeyToAccount(getDevAccount(1).privateKey);
  // Uses chain 84532, because the client's default spend controls allow USDC there but no asset on 10143.
  const client = new x402Client().register("eip155:84532", new ExactEvmScheme(payer));
  const response = await wrapFetchWithPayment(fetch, client)(`${origin}/api/paid/block-digest?network=base-sepolia`);
  const receipt = response.headers.get("PAYMENT-RESPONSE");
  if (response.status !== 200 || !receipt) {
    throw new Error(`The paid request got status ${response.status}: ${await response.text()}`);
  }
  return decodePaymentResponseHeader(receipt).transaction;
}
