/**
 * A wagmi connector for the burner account: it signs in the page and sends everything else to the node's JSON-RPC.
 * It refuses every chain that this node does not run itself, so that a burner key never guards real money.
 */
import {
  type Address,
  type EIP1193RequestFn,
  type Hex,
  hexToNumber,
  numberToHex,
  SwitchChainError,
  type TypedDataDefinition,
  UserRejectedRequestError,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ChainNotConfiguredError, createConnector } from "wagmi";
import type { Network } from "@/lib/networks";
import { toRpcPath } from "@/lib/networks";
import { createRpcRequest } from "@/lib/rpc/client";
import { ensureBurnerKey, findBurnerKey } from "./burnerKey";

type Provider = { request(args: { method: string; params?: unknown }): Promise<unknown> };
type Call = {
  to?: Address;
  value?: Hex;
  data?: Hex;
  gas?: Hex;
  nonce?: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
};

export const burnerConnectorId = "burner";

/** @param networks the networks of this node; only embedded ones are served. */
export function burnerConnector(networks: readonly Network[]) {
  const embedded = networks.filter((network) => network.embedded);
  let chainId = embedded[0]?.chainId ?? 0;
  let connected = false;

  function getNetwork(id: number): Network {
    const network = embedded.find((candidate) => candidate.chainId === id);
    if (!network) throw new SwitchChainError(new ChainNotConfiguredError());
    return network;
  }

  function requestNode(method: string, params: readonly unknown[]): Promise<unknown> {
    const request = createRpcRequest(toRpcPath(getNetwork(chainId))) as EIP1193RequestFn;
    return request({ method, params } as never) as Promise<unknown>;
  }

  async function sendTransaction(call: Call): Promise<unknown> {
    const account = privateKeyToAccount(ensureBurnerKey());
    const filled = (await requestNode("eth_fillTransaction", [
      {
        ...call,
        from: account.address,
        nonce: call.nonce ?? (await requestNode("eth_getTransactionCount", [account.address, "pending"])),
      },
    ])) as { tx: { nonce: Hex; gas: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex } };
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId,
      nonce: hexToNumber(filled.tx.nonce),
      gas: BigInt(filled.tx.gas),
      maxFeePerGas: BigInt(filled.tx.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(filled.tx.maxPriorityFeePerGas),
      value: BigInt(call.value ?? "0x0"),
      ...(call.to ? { to: call.to } : {}),
      ...(call.data ? { data: call.data } : {}),
    });
    return requestNode("eth_sendRawTransaction", [raw]);
  }

  return createConnector<Provider>((config) => {
    const account = () => privateKeyToAccount(ensureBurnerKey());
    const own: Record<string, (params: unknown[]) => Promise<unknown>> = {
      eth_chainId: async () => numberToHex(chainId),
      eth_accounts: async () => [account().address],
      eth_requestAccounts: async () => [account().address],
      personal_sign: async ([data]) => account().signMessage({ message: { raw: data as Hex } }),
      eth_signTypedData_v4: async ([, json]) =>
        account().signTypedData(JSON.parse(json as string) as TypedDataDefinition),
      eth_sendTransaction: async ([call]) => sendTransaction(call as Call),
      wallet_switchEthereumChain: async ([wanted]) => {
        chainId = getNetwork(hexToNumber((wanted as { chainId: Hex }).chainId)).chainId;
        config.emitter.emit("change", { chainId });
        return null;
      },
    };
    const provider: Provider = {
      async request({ method, params }) {
        const list = (params ?? []) as unknown[];
        return own[method]?.(list) ?? requestNode(method, list);
      },
    };

    return {
      id: burnerConnectorId,
      name: "Burner account",
      type: "burner",
      async connect({ chainId: wanted, withCapabilities } = {}) {
        if (embedded.length === 0)
          throw new UserRejectedRequestError(new Error("Burner accounts work on embedded chains only."));
        chainId = getNetwork(wanted ?? chainId).chainId;
        const { address } = privateKeyToAccount(ensureBurnerKey());
        connected = true;
        return {
          accounts: (withCapabilities ? [{ address, capabilities: {} }] : [address]) as never,
          chainId,
        };
      },
      async disconnect() {
        connected = false;
      },
      async getAccounts() {
        const key = findBurnerKey();
        return connected && key ? [privateKeyToAccount(key).address] : [];
      },
      async getChainId() {
        return chainId;
      },
      async getProvider() {
        return provider;
      },
      async isAuthorized() {
        return findBurnerKey() !== undefined;
      },
      async switchChain({ chainId: wanted }) {
        const chain = config.chains.find((candidate) => candidate.id === wanted);
        if (!chain) throw new SwitchChainError(new ChainNotConfiguredError());
        chainId = getNetwork(wanted).chainId;
        config.emitter.emit("change", { chainId });
        return chain;
      },
      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {
        connected = false;
        config.emitter.emit("disconnect");
      },
    };
  });
}
