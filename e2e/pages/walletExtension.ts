/**
 * A browser wallet for tests: announced by EIP-6963, spoken to by EIP-1193, signing for real on the test's side of the
 * page. Its state outlives a reload, as an extension's does.
 */
import type { Page } from "@playwright/test";
import type { Address, Hex, PrivateKeyAccount, TypedDataDefinition } from "viem";

type WalletRequest = { method: string; params?: unknown };
type Answer = { result: unknown } | { error: { code: number; message: string } };

export type WalletExtension = {
  name: string;
  /** What pages asked, in order. */
  requests: WalletRequest[];
  /** Those among them that its owner would have been asked to sign. */
  listSignatures(): WalletRequest[];
  /** Hex chain ids that the wallet knows, and the one it is on. */
  knownChains: Set<Hex>;
  chainId(): Hex;
  /** Its owner switches to a chain that it knows. */
  switchTo(chainId: Hex): Promise<void>;
  /** Its owner declines the next request of this method. */
  declineNext(method: string): void;
  /** Its owner selects another account, or with undefined takes every page's access away. */
  select(account: PrivateKeyAccount | undefined): Promise<void>;
  /** From now on signs with a key that is not the account's. */
  signWith(account: PrivateKeyAccount): void;
};

declare global {
  interface Window {
    askTestWallet(request: WalletRequest): Promise<Answer>;
    emitFromTestWallet(event: string, value: unknown): void;
  }
}

const methodNotSupported = 4200;

/** A block of a public chain: no node of ours has this hash. */
const publicHash = `0x${"c0de".repeat(16)}`;

/**
 * Installs the wallet on every page that this Page will show, connected to none. It is on a public chain, Ethereum's
 * unless told otherwise, and reads from it until a page gives it another endpoint for that chain ID.
 */
export async function installWallet(
  page: Page,
  account: PrivateKeyAccount,
  {
    name = "Test Wallet",
    icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
    publicChain = "0x1" as Hex,
  } = {},
): Promise<WalletExtension> {
  let selected: PrivateKeyAccount | undefined = account;
  let signer: PrivateKeyAccount | undefined;
  let isConnected = false;
  let chainId: Hex = publicChain;
  const knownChains = new Set<Hex>([chainId]);
  const endpoints = new Map<Hex, string>();
  const declined = new Set<string>();
  const requests: WalletRequest[] = [];

  const emit = (event: string, value: unknown) =>
    page.evaluate(([event, value]) => window.emitFromTestWallet(event as string, value), [event, value]);

  /** Asks the endpoint of the wallet's chain. */
  const read = async (method: string, params: unknown[]) => {
    const endpoint = endpoints.get(chainId);
    if (endpoint === undefined) {
      const [block] = params;
      return method === "eth_getBlockByNumber" ? { number: block, hash: publicHash } : null;
    }
    const response = await page.request.post(endpoint, { data: { jsonrpc: "2.0", id: 1, method, params } });
    return (await response.json()).result;
  };

  const handlers: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => chainId,
    eth_accounts: () => (isConnected && selected ? [selected.address] : []),
    eth_requestAccounts: () => {
      isConnected = true;
      return selected ? [selected.address] : [];
    },
    wallet_switchEthereumChain: async ([wanted]) => {
      const { chainId: id } = wanted as { chainId: Hex };
      if (!knownChains.has(id)) throw { code: 4902, message: `Unrecognized chain ID "${id}".` };
      chainId = id;
      await emit("chainChanged", id);
      return null;
    },
    wallet_addEthereumChain: async ([chain]) => {
      const { chainId: id, rpcUrls } = chain as { chainId: Hex; rpcUrls: string[] };
      // As wallets do: the endpoint must answer with the chain id that is claimed.
      const response = await page.request.post(rpcUrls[0] ?? "", {
        data: { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] },
      });
      if ((await response.json()).result !== id) throw { code: -32602, message: "The endpoint is of another chain." };
      knownChains.add(id);
      endpoints.set(id, rpcUrls[0] ?? "");
      chainId = id;
      await emit("chainChanged", id);
      return null;
    },
    eth_sendTransaction: async ([call]) => {
      const { from, to, data, chainId: wanted } = call as { from: Address; to: Address; data: Hex; chainId?: Hex };
      if (wanted !== undefined && wanted !== chainId)
        throw { code: -32602, message: "The wallet is on another chain." };
      if (!selected || from.toLowerCase() !== selected.address.toLowerCase()) {
        throw { code: 4100, message: "The account is not authorised." };
      }
      const { tx } = await read("eth_fillTransaction", [{ from, to, data }]);
      const raw = await selected.signTransaction({
        type: "eip1559",
        chainId: Number(chainId),
        to,
        data,
        nonce: Number(tx.nonce),
        gas: BigInt(tx.gas),
        maxFeePerGas: BigInt(tx.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
      });
      return read("eth_sendRawTransaction", [raw]);
    },
    eth_getBlockByNumber: (params) => read("eth_getBlockByNumber", params),
    eth_getBlockByHash: (params) => read("eth_getBlockByHash", params),
    eth_signTypedData_v4: ([address, json]) => {
      const key = signer ?? selected;
      if (!key || (address as Address).toLowerCase() !== selected?.address.toLowerCase()) {
        throw { code: 4100, message: "The account is not authorised." };
      }
      return key.signTypedData(JSON.parse(json as string) as TypedDataDefinition);
    },
  };

  await page.exposeFunction("askTestWallet", async (request: WalletRequest): Promise<Answer> => {
    const { method, params } = request;
    requests.push(request);
    if (declined.delete(method)) return { error: { code: 4001, message: "User rejected the request." } };
    const handler = handlers[method];
    if (!handler) return { error: { code: methodNotSupported, message: `${method} is not supported.` } };
    try {
      return { result: await handler((params ?? []) as unknown[]) };
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string };
      return { error: { code: code ?? -32603, message: message ?? "Internal error." } };
    }
  });

  await page.addInitScript(
    ({ name, icon }) => {
      const listeners: Record<string, Set<(value: unknown) => void>> = {};
      const provider = {
        async request(request: WalletRequest) {
          const answer = await window.askTestWallet(request);
          if ("error" in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
          return answer.result;
        },
        on(event: string, listener: (value: unknown) => void) {
          listeners[event] ??= new Set();
          listeners[event].add(listener);
        },
        removeListener(event: string, listener: (value: unknown) => void) {
          listeners[event]?.delete(listener);
        },
      };
      window.emitFromTestWallet = (event, value) => {
        for (const listener of [...(listeners[event] ?? [])]) listener(value);
      };
      const info = { uuid: "1b2ab9cb-8d1d-4d0c-8a0b-6f6a53f0a2a1", name, icon, rdns: "test.wallet" };
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
        );
      window.addEventListener("eip6963:requestProvider", announce);
      announce();
    },
    { name, icon },
  );

  return {
    name,
    requests,
    listSignatures: () => requests.filter(({ method }) => /sign|send/i.test(method)),
    knownChains,
    chainId: () => chainId,
    async switchTo(id) {
      chainId = id;
      await emit("chainChanged", id);
    },
    declineNext: (method) => {
      declined.add(method);
    },
    async select(account) {
      selected = account;
      if (!account) isConnected = false;
      await emit("accountsChanged", account ? [account.address] : []);
    },
    signWith(account) {
      signer = account;
    },
  };
}
