/**
 * The two sides of the payment benchmark, each a separate process: our server on its own chain, and the published
 * facilitator on anvil. Both chains start with the same token, payers and balances.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { PaymentPayload } from "@/lib/x402/types";
import { facilitatorIndex, getDevAccount } from "@/server/config/devAccounts";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import { startAnvilNode } from "@/server/remote/testing/anvilNode";
import { startSources } from "@/server/testing/serverProcess";
import { chainId, toExactRequirement, token, toNetworksFile, toTokenGenesis } from "@/server/tools/bench/exactTerms";
import { askRpc, post } from "@/server/tools/bench/jsonRpc";

export const payee = `0x${"5e".repeat(20)}` as const;
const units = 10n ** 12n;

/** Our server sells a constant response at this path during the benchmark. */
export const constantPath = "/api/bench/constant";

/** Payers whose keys are consecutive numbers, so they are the same in every run. */
export const payers: PrivateKeyAccount[] = Array.from({ length: 50 }, (_, index) =>
  privateKeyToAccount(numberToHex(0xbe_0000 + index, { size: 32 })),
);

/** One cent, paid with EIP-3009. */
export const requirement = toExactRequirement(10_000n, payee, 3_600);

type Settled = { success: boolean; transaction?: string; errorReason?: string };
export type Side = {
  name: string;
  /** The URL of a paid resource with a constant response. */
  paidUrl: string;
  /** The URL of a paid resource that does real work: it returns a digest of ten blocks. */
  worthyUrl?: string;
  settle(payload: PaymentPayload): Promise<Settled>;
  rpc(method: string, params: unknown[]): Promise<unknown>;
  close(): Promise<void>;
};

const toSettle =
  (url: string): Side["settle"] =>
  (paymentPayload) =>
    post(url, { x402Version: 2, paymentPayload, paymentRequirements: requirement }) as Promise<Settled>;

/** Starts our server without its pages, on a new chain in a temporary folder. */
export async function startOurs(extraFlags: string[] = []): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-bench-"));
  const allocations = payers.map(({ address }) => ({ address, wei: 10n ** 18n, units }));
  writeFileSync(join(folder, "networks.json"), toNetworksFile("bench", allocations));
  const server = await startSources(
    {
      TOLLSCAN_DATA: join(folder, "data"),
      TOLLSCAN_NETWORKS: join(folder, "networks.json"),
      TOLLSCAN_LIMIT_FACILITATOR_REQUESTS: "1000000",
    },
    ["--import", join(import.meta.dirname, "constantResource.ts"), ...extraFlags],
  );
  const url = `${server.origin}/api/rpc/bench`;
  return {
    name: "Tollscan",
    paidUrl: `${server.origin}${constantPath}`,
    worthyUrl: `${server.origin}/api/paid/block-digest`,
    settle: toSettle(`${server.origin}/api/facilitator/settle`),
    rpc: (method, params) => askRpc(url, method, params),
    async close() {
      await server.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the published facilitator and middleware on anvil, which mines each transaction at once. */
export async function startReference(options: { nonceManager: boolean }): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-bench-"));
  const anvil = await startAnvilNode({ chainId, folder });
  await anvil.place(token, toTokenGenesis(payee, payers, units));
  await placePredeploys(anvil, chainId);
  const relayer = getDevAccount(facilitatorIndex);
  await anvil.ask("anvil_setBalance", [relayer.address, numberToHex(10n ** 21n)]);
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, "referenceServer.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      RPC_URL: anvil.url,
      FACILITATOR_KEY: relayer.privateKey,
      ASSET: token,
      PAY_TO: payee,
      ...(options.nonceManager && { NONCE_MANAGER: "1" }),
    },
  });
  const port = await readPort(child);
  return {
    name: options.nonceManager ? "reference with nonceManager" : "reference",
    paidUrl: `http://127.0.0.1:${port}/paid`,
    settle: toSettle(`http://127.0.0.1:${port}/settle`),
    rpc: (method, params) => askRpc(anvil.url, method, params),
    async close() {
      child.kill();
      await anvil.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const port = /port (\d+)\n/.exec(output)?.[1];
      if (port) resolve(Number(port));
    });
    child.once("exit", (code) => reject(new Error(`The reference exited with code ${code}.`)));
  });
}
