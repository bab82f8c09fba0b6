/**
 * What browser and server agree on about a network. No secrets: it is serialised into every page.
 */
import { type Contracts, contractKeys, contractNames, isSameAddress } from "@/lib/contracts";

export type Token = {
  address: `0x${string}`;
  symbol: string;
  decimals: number;
  /** EIP-712 domain of EIP-2612 and EIP-3009. */
  eip712?: { name: string; version: string };
  /** Whether the token has EIP-3009, and so can be paid without an allowance. */
  eip3009: boolean;
  /** Whether the token takes EIP-2612 permits; as eip3009 where it is not said. */
  eip2612?: boolean;
};

/** The domain under which a token's EIP-2612 permits are signed; undefined where it takes none. */
export function findPermitDomain({ eip712, eip3009, eip2612 = eip3009 }: Token): Token["eip712"] {
  return eip2612 ? eip712 : undefined;
}

export type Network = {
  /** Path segment and name: "testnet". */
  name: string;
  /** Shown to people: "Testnet". */
  label: string;
  chainId: number;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  /** tokens[0] is what prices in dollars are paid in; without one, nothing can be paid on this network. */
  tokens: Token[];
  /** Where the contracts stand that payments rely on. */
  contracts: Contracts;
  /** Whether this node made the chain from its own genesis: then it has a faucet, burner wallets and public keys. */
  embedded: boolean;
};

/** A public chain that has the same id as a network of this node. */
export type PublicChain = { name: string; isMainnet: boolean };

/** A network as pages know it. */
export type PageNetwork = Network & {
  /** Whether this node runs the chain itself: a simulation, with no connection to any public network. */
  isLocal: boolean;
  /** A signature for this network is valid on that chain too. */
  publicChain: PublicChain | undefined;
};

/** What wallets and programs are told the chain is called: "Monad Testnet (Tollscan, local)". */
export function toChainName({ label, isLocal, publicChain }: PageNetwork): string {
  const name = publicChain?.name ?? label;
  return isLocal ? `${name} (Tollscan, local)` : name;
}

/** Whether signatures for this local network would be valid where money is real. */
export function isMainnetSimulation({ isLocal, publicChain }: PageNetwork): boolean {
  return isLocal && publicChain?.isMainnet === true;
}

/** A network that payments can be made on. */
export type PayableNetwork = Network & { tokens: [Token, ...Token[]] };

export function isPayable<N extends Network>(network: N): network is N & PayableNetwork {
  return network.tokens.length > 0;
}

/** What a network calls an address: a token by its symbol, or a contract that payments rely on. */
export function findContractName({ tokens, contracts }: Network, address: string): string | undefined {
  const token = tokens.find((candidate) => isSameAddress(candidate.address, address));
  if (token) return token.symbol;
  const key = contractKeys.find((candidate) => isSameAddress(contracts[candidate], address));
  return key && contractNames[key];
}

/** CAIP-2 id of an EVM chain: "eip155:10143". */
export function toCaip2(chainId: number): `eip155:${number}` {
  return `eip155:${chainId}`;
}

/** Path of the network's JSON-RPC endpoint. */
export function toRpcPath(network: Pick<Network, "name">): string {
  return `/api/rpc/${network.name}`;
}
