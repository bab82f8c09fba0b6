/**
 * A browser wallet for tests. It is announced through EIP-6963 and called through EIP-1193, and it makes real
 * signatures outside the page. Its state survives a reload.
 */
import type { Page } from "@playwright/test";
import type { Address, Hex, PrivateKeyAccount, TypedDataDefinition } from "viem";

type WalletRequest = { method: string; params?: unknown };
type Answer = { result: unknown } | { error: { code: number; message: string } };

export type WalletExtension = {
  name: string;
  /** The requests from all pages, in order. */
  requests: WalletRequest[];
  /** The requests that a real wallet would ask its owner to confirm with a signature. */
  listSignatures(): WalletRequest[];
  /** The IDs, in hex, of the chains that are set up in the wallet. `chainId` returns the current chain's ID. */
  knownChains: Set<Hex>;
  chainId(): Hex;
  /** Switches to a known chain, as the owner would do in the wallet. */
  switchTo(chainId: Hex): Promise<void>;
  /** Declines the next request for this method. */
  declineNext(method: string): void;
  /** Leaves the requests for this method unanswered, as if the owner was still deciding, until `release` is called. */
  hold(method: string): { release(): void };
  /** Selects another account. If the account is undefined, revokes access for every page. */
  select(account: PrivateKeyAccount | undefined): Promise<void>;
  /** Makes the wallet sign all later requests with another account's key. */
  signWith(account: PrivateKeyAccount): void;
};

declare global {
  /** The functions that each installed wallet adds to the window. Their names end with the wallet's name. */
  interface Window {
    [ask: `ask ${string}`]: (request: WalletRequest) => Promise<Answer>;
    [emit: `emit ${string}`]: (event: string, value: unknown) => void;
  }
}

const methodNotSupported = 4200;

/** A made-up hash for blocks on a public chain. No block on the nodes under test has this hash. */
const publicHash = `0x${"c0de".repeat(16)}`;

/** The wallet's state. It is kept when pages that use the wallet reload or close. */
type Wallet = {
  page: Page;
  name: string;
  selected: PrivateKeyAccount | undefined;
  /** If set, this account's key signs instead of the selected account's. */
  signer: PrivateKeyAccount | undefined;
  isConnected: boolean;
  chainId: Hex;
  knownChains: Set<Hex>;
  endpoints: Map<Hex, string>;
  declined: Set<string>;
  held: Map<string, Promise<void>>;
  requests: WalletRequest[];
};

/**
 * Installs the wallet, not yet connected, in every document that this Page loads. The wallet starts on a public chain
 * (Ethereum by default). A chain ID refers to the public chain until a page adds an endpoint for that ID.
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
  const wallet: Wallet = {
    page,
    name,
    selected: account,
    signer: undefined,
    isConnected: false,
    chainId: publicChain,
    knownChains: new Set([publicChain]),
    endpoints: new Map(),
    declined: new Set(),
    held: new Map(),
    requests: [],
  };
  await page.exposeFunction(`ask ${name}`, (request: WalletRequest) => answer(wallet, request));
  await page.addInitScript(announceWallet, { name, icon });
  return {
    name,
    requests: wallet.requests,
    listSignatures: () => wallet.requests.filter(({ method }) => /sign|send/i.test(method)),
    knownChains: wallet.knownChains,
    chainId: () => wallet.chainId,
    switchTo: (id) => switchChain(wallet, id),
    declineNext: (method) => {
      wallet.declined.add(method);
    },
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wallet.held.set(method, promise);
      return { release: resolve };
    },
    async select(account) {
      wallet.selected = account;
      if (!account) wallet.isConnected = false;
      await emit(wallet, "accountsChanged", account ? [account.address] : []);
    },
    signWith(account) {
      wallet.signer = account;
    },
  };
}

async function answer(wallet: Wallet, request: WalletRequest): Promise<Answer> {
  const { method, params } = request;
  wallet.requests.push(request);
  await wallet.held.get(method);
  if (wallet.declined.delete(method)) return { error: { code: 4001, message: "User rejected the request." } };
  try {
    return { result: await handle(wallet, method, (params ?? []) as unknown[]) };
  } catch (error) {
    const { code, message } = error as { code?: number; message?: string };
    return { error: { code: code ?? -32603, message: message ?? "Internal error." } };
  }
}

async function handle(wallet: Wallet, method: string, params: unknown[]): Promise<unknown> {
  const [first, second] = params;
  const accounts = wallet.selected ? [wallet.selected.address] : [];
  switch (method) {
    case "eth_chainId":
      return wallet.chainId;
    case "eth_accounts":
      return wallet.isConnected ? accounts : [];
    case "eth_requestAccounts":
      wallet.isConnected = true;
      return accounts;
    case "wallet_switchEthereumChain": {
      const { chainId } = first as { chainId: Hex };
      if (!wallet.knownChains.has(chainId)) throw { code: 4902, message: `Unrecognized chain ID "${chainId}".` };
      await switchChain(wallet, chainId);
      return null;
    }
    case "wallet_addEthereumChain":
      await addChain(wallet, first as { chainId: Hex; rpcUrls: string[] });
      return null;
    case "eth_sendTransaction":
      return sendTransaction(wallet, first as Call);
    case "eth_getBlockByNumber":
    case "eth_getBlockByHash":
      return read(wallet, method, params);
    case "eth_signTypedData_v4":
      assertSelected(wallet, first as Address);
      return (wallet.signer ?? wallet.selected)!.signTypedData(JSON.parse(second as string) as TypedDataDefinition);
    default:
      throw { code: methodNotSupported, message: `${method} is not supported.` };
  }
}

function emit({ page, name }: Wallet, event: string, value: unknown): Promise<void> {
  return page.evaluate(({ name, event, value }) => window[`emit ${name}`]!(event, value), {
    name,
    event,
    value,
  });
}

async function switchChain(wallet: Wallet, chainId: Hex): Promise<void> {
  wallet.chainId = chainId;
  await emit(wallet, "chainChanged", chainId);
}

async function addChain(wallet: Wallet, { chainId, rpcUrls: [endpoint = ""] }: { chainId: Hex; rpcUrls: string[] }) {
  // As in real wallets, the endpoint must return the claimed chain ID.
  if ((await ask(wallet, endpoint, "eth_chainId", [])) !== chainId) {
    throw { code: -32602, message: "The endpoint serves another chain." };
  }
  wallet.knownChains.add(chainId);
  wallet.endpoints.set(chainId, endpoint);
  await switchChain(wallet, chainId);
}

async function ask({ page }: Wallet, endpoint: string, method: string, params: unknown[]) {
  const response = await page.request.post(endpoint, { data: { jsonrpc: "2.0", id: 1, method, params } });
  return (await response.json()).result;
}

/** Sends the request to the endpoint for the wallet's current chain. */
async function read(wallet: Wallet, method: string, params: unknown[]) {
  const endpoint = wallet.endpoints.get(wallet.chainId);
  if (endpoint !== undefined) return ask(wallet, endpoint, method, params);
  const [block] = params;
  return method === "eth_getBlockByNumber" ? { number: block, hash: publicHash } : null;
}

function assertSelected({ selected }: Wallet, address: Address): void {
  if (address.toLowerCase() === selected?.address.toLowerCase()) return;
  throw { code: 4100, message: "The account is not authorized." };
}

type Call = { from: Address; to: Address; data: Hex; chainId?: Hex };

async function sendTransaction(wallet: Wallet, { from, to, data, chainId: wanted }: Call) {
  const { chainId } = wallet;
  if (wanted !== undefined && wanted !== chainId) throw { code: -32602, message: "The wallet is on another chain." };
  assertSelected(wallet, from);
  const { tx } = await read(wallet, "eth_fillTransaction", [{ from, to, data }]);
  const raw = await wallet.selected!.signTransaction({
    type: "eip1559",
    chainId: Number(chainId),
    to,
    data,
    nonce: Number(tx.nonce),
    gas: BigInt(tx.gas),
    maxFeePerGas: BigInt(tx.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
  });
  return read(wallet, "eth_sendRawTransaction", [raw]);
}

/** Runs in the page before the page's own scripts. */
function announceWallet({ name, icon }: { name: string; icon: string }): void {
  const listeners: Record<string, Set<(value: unknown) => void>> = {};
  const provider = {
    async request(request: WalletRequest) {
      const answer = await window[`ask ${name}`]!(request);
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
  window[`emit ${name}`] = (event: string, value: unknown) => {
    for (const listener of [...(listeners[event] ?? [])]) listener(value);
  };
  const info = { uuid: crypto.randomUUID(), name, icon, rdns: `test.${name.replace(/\W/g, "").toLowerCase()}` };
  const announce = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}
