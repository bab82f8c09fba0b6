/**
 * Reads the seeded chain over JSON-RPC. Finds one sample for each kind of item, and lists every explorer path for these
 * samples.
 */
import type { APIRequestContext } from "@playwright/test";
import { usdc } from "./devChain";

export type Rpc = <Result = string>(method: string, ...params: unknown[]) => Promise<Result>;

/** Sends requests to the default network. Throws if the node responds with an error. */
export function createRpc(request: APIRequestContext): Rpc {
  return async (method, ...params) => {
    const answer = await request.post("/api/rpc", { data: { jsonrpc: "2.0", id: 1, method, params } });
    const { result, error } = await answer.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

export type Summary = {
  hash: string;
  from: string;
  to: string | null;
  contractAddress: string | null;
  value: string;
  blockNumber: string;
  status: string;
  tokenTransfer: { from: string } | null;
};
type Payment = { id: string; payer: string; payee: string; transaction: string | null; state: string };

export type Samples = {
  transfer: Summary;
  tokenTransfer: Summary;
  deployment: Summary;
  reverted: Summary;
  /** A transaction with an internal transfer of native tokens. */
  inner: Summary;
  payment: Payment & { transaction: string };
  /** The number of a block with transactions. */
  block: number;
};

/** Finds the newest sample of each kind. Throws if one is missing, which means that the chain wasn't seeded. */
export async function findSamples(rpc: Rpc): Promise<Samples> {
  const found: Partial<Samples> = {};
  let before: string | null = null;
  for (let pages = 0; pages < 10; pages++) {
    const page: { items: Summary[]; next: string | null } = await rpc("explorer_getTransactions", {
      limit: 100,
      ...(before && { before }),
    });
    for (const item of page.items) {
      if (item.status === "0x0") {
        // Skips failed token transfers from other tests. The seed's reverted transactions call the seed's contract.
        if (item.to !== usdc) found.reverted ??= item;
      } else if (item.contractAddress) found.deployment ??= item;
      else if (item.tokenTransfer) {
        // Skips payments. The relayer sends them, and they have more logs.
        if (item.tokenTransfer.from === item.from) found.tokenTransfer ??= item;
      } else if (item.to && (await rpc("eth_getCode", item.to, "latest")) === "0x") found.transfer ??= item;
      else if (BigInt(item.value) > 0n) found.inner ??= item;
    }
    before = page.next;
    if (found.reverted && found.deployment && found.tokenTransfer && found.transfer && found.inner) break;
  }
  const { items } = await rpc<{ items: Payment[] }>("explorer_getPayments", { limit: 100 });
  found.payment = items.find((item): item is Payment & { transaction: string } => item.transaction !== null)!;
  const samples = { ...found, block: Number(found.transfer?.blockNumber) } as Samples;
  for (const [name, sample] of Object.entries(samples)) {
    if (!sample) throw new Error(`The seeded chain has no ${name}.`);
  }
  return samples;
}

/** Every read-only path of the explorer, without the network segment. Paths that use a wallet are in writePaths. */
export function listReadPaths({ transfer, tokenTransfer, reverted, deployment, payment, block }: Samples): string[] {
  const transactionTabs = ["", "/transfers", "/logs", "/trace", "/state", "/raw"];
  const addressTabs = ["", "/internal", "/transfers", "/holdings", "/logs", "/code", "/storage"];
  return [
    "",
    "/blocks",
    "/txs",
    "/txpool",
    "/payments",
    "/charts",
    "/node",
    "/resources",
    "/accounts",
    "/search?q=zebra",
    "/search?q=block",
    `/block/${block}`,
    `/block/${block}/receipts`,
    `/block/${block}/raw`,
    ...transactionTabs.map((tab) => `/tx/${tokenTransfer.hash}${tab}`),
    `/tx/${transfer.hash}`,
    `/tx/${reverted.hash}`,
    `/tx/${reverted.hash}/trace`,
    `/tx/${deployment.hash}`,
    `/tx/${payment.transaction}`,
    `/tx/0x${"77".repeat(32)}`,
    `/address/${transfer.from}`,
    ...addressTabs.map((tab) => `/address/${usdc}${tab}`),
    `/address/${deployment.contractAddress}/code`,
    ...["", "/transfers"].map((tab) => `/token/${usdc}${tab}`),
  ];
}

/** Paths of pages that sign, encode or send something. */
export const writePaths = [
  `/address/${usdc}/contract`,
  `/token/${usdc}/signatures`,
  "/playground",
  "/console",
  "/tools",
  "/tools/encode",
  "/docs",
];
