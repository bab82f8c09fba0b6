/**
 * Decides when a wallet may be asked to sign for a network that this node runs. If a local chain uses a public chain's
 * ID, a signature for it is valid on the public chain too. So a request passes only if it specifies a chain and the
 * wallet is connected to this node.
 */
import { isMainnetSimulation, type PageNetwork } from "@/lib/networks";
import { toQuantity } from "@/lib/units";

export type WalletRefusalCode = "no_chain" | "unknown_chain" | "public_mainnet" | "wrong_chain" | "not_our_chain";

/** Thrown if a request was stopped before it reached the wallet. The message can be shown to the user. */
export class WalletRefusal extends Error {
  override name = "WalletRefusal";
  readonly code: WalletRefusalCode;

  constructor(code: WalletRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Explains why no wallet can sign for a mainnet simulation. Undefined for any other network. */
export function findMainnetSentence(network: PageNetwork): string | undefined {
  if (!isMainnetSimulation(network)) return undefined;
  const who = network.embedded ? "only burner accounts can sign" : "no wallet can sign";
  return `This is a local simulation with the chain ID of ${network.publicChain?.name}. A signature made here would be valid on the real network, so ${who}.`;
}

export type WalletCall = { method: string; params?: unknown };
type TypedData = { types?: Record<string, { name: string }[]>; domain?: { chainId?: unknown } };

/**
 * The methods that can ask a wallet to sign a transaction. If the first one fails, viem tries the second. Other
 * methods, such as wallet_sendCalls, may include an EIP-7702 authorization that is valid on every chain.
 */
const transactionMethods = new Set(["eth_sendTransaction", "wallet_sendTransaction"]);

/** The chain that a signature would be valid on. Undefined if it would be valid on every chain. */
export function findNamedChain({ method, params }: WalletCall): number | undefined {
  if (method === "eth_signTypedData_v4" || method === "eth_signTypedData_v3") {
    const [, data] = toList(params);
    const { types, domain } = (typeof data === "string" ? JSON.parse(data) : data) as TypedData;
    // If the type omits a domain field, that field isn't signed.
    const isSigned = types?.EIP712Domain?.some(({ name }) => name === "chainId");
    return isSigned ? toChainId(domain?.chainId) : undefined;
  }
  const [transaction] = toList(params);
  // An authorization with chain ID 0 is valid on every chain (EIP-7702), no matter which chain the transaction is for.
  const isAuthorizing = (transaction as { authorizationList?: unknown } | undefined)?.authorizationList !== undefined;
  return transactionMethods.has(method) && !isAuthorizing ? findWantedChain({ method, params }) : undefined;
}

/**
 * Adds the wallet's chain ID to a transaction that has none. If the wallet then switches to another chain, it rejects
 * the transaction.
 */
export function bindTransaction(call: WalletCall, walletChain: number): WalletCall {
  const [transaction, ...rest] = toList(call.params);
  if (!transactionMethods.has(call.method) || !transaction || toChainId(walletChain) === undefined) return call;
  return { ...call, params: [{ chainId: toQuantity(walletChain), ...transaction }, ...rest] };
}

/** The chain that a request asks the wallet to add or switch to. */
export function findWantedChain({ params }: WalletCall): number | undefined {
  const [first] = toList(params);
  return toChainId((first as { chainId?: unknown } | undefined)?.chainId);
}

function toList(params: unknown): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}

/** Parses a chain ID given as a number, or as decimal or hex text. */
function toChainId(value: unknown): number | undefined {
  const chainId = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined;
}

/** Throws WalletRefusal if the network is a mainnet simulation, because wallets must get no requests for one. */
export function assertNotMainnet(network: PageNetwork): void {
  const sentence = findMainnetSentence(network);
  if (sentence !== undefined) throw new WalletRefusal("public_mainnet", sentence);
}

/** The network that a signature is for. Throws WalletRefusal if the wallet must not sign for it. */
export function getSignableNetwork(
  networks: readonly PageNetwork[],
  namedChain: number | undefined,
  walletChain: number | undefined,
): PageNetwork {
  if (namedChain === undefined) {
    throw new WalletRefusal(
      "no_chain",
      "This request doesn’t specify a chain, so its signature would be valid on every network. The wallet was not asked to sign.",
    );
  }
  const network = networks.find(({ chainId }) => chainId === namedChain);
  if (!network) {
    throw new WalletRefusal(
      "unknown_chain",
      `This node has no network with chain ID ${namedChain}. The wallet was not asked to sign.`,
    );
  }
  if (walletChain !== namedChain) {
    throw new WalletRefusal(
      "wrong_chain",
      `The signature would be for chain ID ${namedChain}, but the wallet is on ${walletChain === undefined ? "an unknown chain" : `chain ID ${walletChain}`}. The wallet was not asked to sign.`,
    );
  }
  assertNotMainnet(network);
  return network;
}

/**
 * Throws WalletRefusal unless the wallet's block hash matches the node's.
 * @param rpcUrl the RPC URL that the wallet should use for this chain.
 */
export function assertSameBlock(
  { chainId, publicChain }: PageNetwork,
  ourHash: string,
  walletHash: string | undefined,
  rpcUrl: string,
): void {
  if (walletHash === ourHash) return;
  const found =
    walletHash === undefined
      ? "The wallet could not read this local chain"
      : `The wallet’s network with chain ID ${chainId} is not this local chain${publicChain ? ` (it may be the real ${publicChain.name})` : ""}`;
  throw new WalletRefusal(
    "not_our_chain",
    `${found}, so it was not asked to sign. In the wallet, set the RPC URL for chain ID ${chainId} to ${rpcUrl}, then try again.`,
  );
}
