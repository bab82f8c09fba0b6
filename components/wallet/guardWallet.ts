/**
 * Stands between the page and every injected wallet: signature requests reach a wallet only if signingRule.ts allows
 * them. Unknown methods are treated as signature requests.
 */

import { type PageNetwork, toRpcPath } from "@/lib/networks";
import { pause } from "@/lib/pause";
import { createRpcRequest } from "@/lib/rpc/client";
import {
  assertNotMainnet,
  assertSameBlock,
  bindTransaction,
  findNamedChain,
  findWantedChain,
  getSignableNetwork,
  type WalletCall,
} from "./signingRule";

export type WalletRequest = (call: WalletCall) => Promise<unknown>;
export type Wallet = {
  request: WalletRequest;
  on?(event: string, listener: (value: never) => void): unknown;
  removeListener?(event: string, listener: (value: never) => void): unknown;
};
type Block = { number: string; hash: string };

/** Methods that never ask for a signature. */
const harmless: ReadonlySet<string> = new Set([
  "eth_accounts",
  "eth_chainId",
  "eth_requestAccounts",
  "wallet_getPermissions",
  "wallet_requestPermissions",
  "wallet_revokePermissions",
]);
const chainMethods: ReadonlySet<string> = new Set(["wallet_addEthereumChain", "wallet_switchEthereumChain"]);

/**
 * Blocks are compared more than once, because a rewind may remove the compared block, and the wallet's node may lag.
 */
const attempts = 3;
const pauseMs = 300;
const walletTimeoutMs = 5_000;

/** @param toRequest returns the request function of a network's node; by default, requests go to its JSON-RPC path. */
export function guardWallet(
  wallet: Wallet,
  networks: readonly PageNetwork[],
  toRequest: (network: PageNetwork) => WalletRequest = (network) =>
    createRpcRequest(toRpcPath(network)) as WalletRequest,
): Wallet {
  const ask: WalletRequest = (call) => wallet.request(call);

  async function sign(call: WalletCall): Promise<unknown> {
    const walletChain = Number(await ask({ method: "eth_chainId" }));
    const bound = bindTransaction(call, walletChain);
    const network = getSignableNetwork(networks, findNamedChain(bound), walletChain);
    if (network.isLocal) await assertOnOurChain(ask, network, toRequest(network));
    return ask(bound);
  }
  return {
    async request(call) {
      if (harmless.has(call.method)) return ask(call);
      if (!chainMethods.has(call.method)) return sign(call);
      const wanted = findWantedChain(call);
      const network = networks.find(({ chainId }) => chainId === wanted);
      if (network) assertNotMainnet(network);
      return ask(call);
    },
    on: (event, listener) => wallet.on?.(event, listener),
    removeListener: (event, listener) => wallet.removeListener?.(event, listener),
  };
}

/** Throws WalletRefusal if the wallet doesn't have the node's newest block. Rethrows the node's errors. */
async function assertOnOurChain(wallet: WalletRequest, network: PageNetwork, node: WalletRequest): Promise<void> {
  const rpcUrl = `${window.location.origin}${toRpcPath(network)}`;
  for (let attempt = 1; ; attempt++) {
    const ours = (await node({ method: "eth_getBlockByNumber", params: ["latest", false] })) as Block;
    const walletHash = await findWalletHash(wallet, ours);
    if (attempt === attempts) return assertSameBlock(network, ours.hash, walletHash, rpcUrl);
    if (walletHash === ours.hash) return;
    await pause(pauseMs);
  }
}

/**
 * The block hash that the wallet returns for the node's block. Undefined if the wallet doesn't have the block or
 * doesn't respond.
 */
async function findWalletHash(wallet: WalletRequest, { number, hash }: Block): Promise<string | undefined> {
  const read = async (method: string, block: string) => {
    const found = (await wallet({ method, params: [block, false] })) as Block | null;
    return found?.hash;
  };
  const find = async () => {
    const byNumber = await read("eth_getBlockByNumber", number);
    if (byNumber === hash) return hash;
    // Also reads the block by hash. Wallets cache blocks by number, and after a rewind, a different block can have that
    // number.
    return (await read("eth_getBlockByHash", hash).catch(() => undefined)) ?? byNumber;
  };
  return Promise.race([find().catch(() => undefined), pause(walletTimeoutMs)]);
}

/** The details that a wallet announces about itself (EIP-6963). The page can't trust the name and icon. */
export type AnnouncedWallet = { info: { uuid: string; name: string; icon?: string }; provider: Wallet };

/**
 * Replaces announced wallets (EIP-6963) with guarded ones for all listeners that are added later. Call it before
 * anything looks for wallets.
 */
export function guardAnnouncedWallets(networks: readonly PageNetwork[]): void {
  const type = "eip6963:announceProvider";
  const guarded = new WeakSet<object>();
  window.addEventListener(
    type,
    (event) => {
      const { detail } = event as CustomEvent<AnnouncedWallet>;
      if (guarded.has(detail)) return;
      event.stopImmediatePropagation();
      const replaced = Object.freeze({ info: detail.info, provider: guardWallet(detail.provider, networks) });
      guarded.add(replaced);
      window.dispatchEvent(new CustomEvent(type, { detail: replaced }));
    },
    { capture: true },
  );
}
