/**
 * A wagmi connector for the burner account. Signing happens in the page, and other requests go to the node's JSON-RPC.
 * It works only on chains that this node runs itself, so that a burner key never controls real money.
 */
import {
  type Address,
  type Hex,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  SwitchChainError,
  type TypedDataDefinition,
  UnauthorizedProviderError,
  UnsupportedProviderMethodError,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { ChainNotConfiguredError, createConnector } from "wagmi";
import type { Network } from "@/lib/networks";
import { toRpcPath } from "@/lib/networks";
import { createRpcRequest } from "@/lib/rpc/client";
import { burnerStorageKey, ensureBurnerKey, findBurnerKey } from "./burnerKey";

type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;
type Provider = { request: Request };
/** This key is set in storage if the user disconnected the burner. wagmi's injected connector sets a similar flag. */
type StorageItem = { [key: `${string}.disconnected`]: true };
type Call = {
  chainId?: Hex;
  from?: Address;
  to?: Address;
  value?: Hex;
  data?: Hex;
  gas?: Hex;
  nonce?: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
};

export const burnerConnectorId = "burner";

export function toBurnerElsewhereText(network: string): string {
  return `A burner account only signs on this node’s own chains, and ${network} isn’t one of them. Disconnect it and connect a wallet.`;
}

/** The state of a burner connector: the chains that it serves, its current chain, and whether it is connected. */
type Burner = {
  embedded: readonly Network[];
  toRequest: (network: Network) => Request;
  chainId: number;
  connected: boolean;
};

/**
 * @param networks the networks of this node; only embedded ones are served.
 * @param toRequest returns the request function of a network's node; by default, requests go to its JSON-RPC path.
 */
export function burnerConnector(
  networks: readonly Network[],
  toRequest: (network: Network) => Request = (network) => createRpcRequest(toRpcPath(network)) as Request,
) {
  const embedded = networks.filter((network) => network.embedded);
  const burner: Burner = { embedded, toRequest, chainId: embedded[0]?.chainId ?? 0, connected: false };

  return createConnector<Provider, Record<string, unknown>, StorageItem>((config) => {
    const disconnectedKey = `${burnerConnectorId}.disconnected` as const;
    const change = (id: number) => {
      burner.chainId = getNetwork(burner, id).chainId;
      config.emitter.emit("change", { chainId: burner.chainId });
    };
    const provider: Provider = { request: (call) => answer(burner, change, call) };

    return {
      id: burnerConnectorId,
      name: "Burner account",
      type: "burner",
      async setup() {
        // Another tab may delete or replace the key.
        window.addEventListener("storage", ({ key }) => {
          if (burner.connected && (key === burnerStorageKey || key === null)) this.onDisconnect();
        });
      },
      async connect({ chainId: wanted, isReconnecting, withCapabilities } = {}) {
        burner.chainId = getNetwork(burner, wanted ?? burner.chainId).chainId;
        const key = isReconnecting ? findBurnerKey() : ensureBurnerKey();
        if (!key) throw new UnauthorizedProviderError(new Error("This browser has no burner account."));
        burner.connected = true;
        await config.storage?.removeItem(disconnectedKey);
        const { address } = privateKeyToAccount(key);
        return {
          accounts: (withCapabilities ? [{ address, capabilities: {} }] : [address]) as never,
          chainId: burner.chainId,
        };
      },
      async disconnect() {
        burner.connected = false;
        await config.storage?.setItem(disconnectedKey, true);
      },
      getAccounts: async () => listAddresses(burner),
      getChainId: async () => burner.chainId,
      getProvider: async () => provider,
      async isAuthorized() {
        if (embedded.length === 0 || (await config.storage?.getItem(disconnectedKey))) return false;
        return findBurnerKey() !== undefined;
      },
      async switchChain({ chainId: wanted }) {
        const chain = config.chains.find((candidate) => candidate.id === wanted);
        if (!chain) throw new SwitchChainError(new ChainNotConfiguredError());
        change(wanted);
        return chain;
      },
      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {
        burner.connected = false;
        config.emitter.emit("disconnect");
      },
    };
  });
}

/** Handles account, signing and network methods. Rejects other wallet_ methods, and sends the rest to the node. */
async function answer(
  burner: Burner,
  onSwitch: (chainId: number) => void,
  { method, params }: { method: string; params?: unknown },
): Promise<unknown> {
  const list = (params ?? []) as unknown[];
  const [first, second] = list;
  switch (method) {
    case "eth_chainId":
      return numberToHex(burner.chainId);
    case "eth_accounts":
      return listAddresses(burner);
    case "eth_requestAccounts":
      return [getAccount(burner).address];
    case "personal_sign":
      return getNamedAccount(burner, second).signMessage({ message: { raw: first as Hex } });
    case "eth_signTypedData_v4":
      return signTypedData(burner, first, second);
    case "eth_sendTransaction":
      return sendTransaction(burner, first as Call);
    case "wallet_switchEthereumChain":
      onSwitch(hexToNumber((first as { chainId: Hex }).chainId));
      return null;
  }
  if (method.startsWith("wallet_")) {
    throw new UnsupportedProviderMethodError(new Error(`The burner account does not support ${method}.`));
  }
  return burner.toRequest(getNetwork(burner, burner.chainId))({ method, params: list });
}

function getNetwork({ embedded }: Burner, id: number): Network {
  const network = embedded.find((candidate) => candidate.chainId === id);
  if (!network) throw new SwitchChainError(new ChainNotConfiguredError());
  return network;
}

/** Returns the connected account. Throws if there is none, for example because another tab deleted its key. */
function getAccount({ connected }: Burner): PrivateKeyAccount {
  const key = connected ? findBurnerKey() : undefined;
  if (!key) throw new UnauthorizedProviderError(new Error("The burner account is not connected."));
  return privateKeyToAccount(key);
}

function listAddresses(burner: Burner): Address[] {
  return burner.connected && findBurnerKey() ? [getAccount(burner).address] : [];
}

/** Returns the account named in a request. Throws if it isn't the burner's. */
function getNamedAccount(burner: Burner, address: unknown): PrivateKeyAccount {
  const account = getAccount(burner);
  if (typeof address !== "string" || !isAddressEqual(address as Address, account.address)) {
    throw new UnauthorizedProviderError(new Error("The burner account can only sign for itself."));
  }
  return account;
}

function signTypedData(burner: Burner, address: unknown, json: unknown): Promise<Hex> {
  const account = getNamedAccount(burner, address);
  const data = JSON.parse(json as string) as TypedDataDefinition;
  // The domain determines which chain a signature is valid on, so it must name one of this node's chains.
  getNetwork(burner, Number(data.domain?.chainId ?? Number.NaN));
  return account.signTypedData(data);
}

async function sendTransaction(burner: Burner, call: Call): Promise<unknown> {
  const account = getNamedAccount(burner, call.from);
  const chainId = call.chainId === undefined ? burner.chainId : hexToNumber(call.chainId);
  const request = burner.toRequest(getNetwork(burner, chainId));
  const nonce =
    call.nonce ?? (await request({ method: "eth_getTransactionCount", params: [account.address, "pending"] }));
  const { tx } = (await request({ method: "eth_fillTransaction", params: [{ ...call, nonce }] })) as {
    tx: { nonce: Hex; gas: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex };
  };
  const raw = await account.signTransaction({
    type: "eip1559",
    chainId,
    nonce: hexToNumber(tx.nonce),
    gas: BigInt(tx.gas),
    maxFeePerGas: BigInt(tx.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
    value: BigInt(call.value ?? "0x0"),
    ...(call.to ? { to: call.to } : {}),
    ...(call.data ? { data: call.data } : {}),
  });
  return request({ method: "eth_sendRawTransaction", params: [raw] });
}
