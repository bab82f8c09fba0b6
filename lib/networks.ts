/** Network data that the server and the browser share. It is part of every page, so it must not contain secrets. */
import { type Contracts, contractKeys, contractNames, isSameAddress } from "@/lib/contracts";

export type Token = {
  address: `0x${string}`;
  symbol: string;
  decimals: number;
  /** EIP-712 domain for EIP-2612 and EIP-3009. */
  eip712?: { name: string; version: string };
  /** Whether the token supports EIP-3009. If it does, payments need no allowance. */
  eip3009: boolean;
  /** Whether the token supports EIP-2612 permits. Defaults to the value of `eip3009`. */
  eip2612?: boolean;
};

/** The domain for signing a token's EIP-2612 permits. Undefined if the token doesn't support them. */
export function findPermitDomain({ eip712, eip3009, eip2612 = eip3009 }: Token): Token["eip712"] {
  return eip2612 ? eip712 : undefined;
}

/**
 * Selects defaults for options that a JSON-RPC request omits. If a trace request names no tracer, "contract" returns
 * call frames and "ethereum" returns geth's structLogs.
 */
export type NetworkProfile = "contract" | "ethereum";

export type Network = {
  /** The network's name, which is also its path segment, such as "testnet". */
  name: string;
  /** The display name, such as "Testnet". */
  label: string;
  chainId: number;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  /** Dollar prices are paid in tokens[0]. A network without tokens accepts no payments. */
  tokens: Token[];
  /** The contracts that payments rely on. */
  contracts: Contracts;
  /**
   * Whether this node created the chain from its own genesis. Such a network has a faucet, burner wallets and public
   * test accounts.
   */
  embedded: boolean;
};

/** A public chain that has the same ID as one of this node's networks. */
export type PublicChain = { name: string; isMainnet: boolean };

/** What a network menu needs to know about a network. */
export type NetworkChoice = Pick<Network, "name" | "label" | "embedded">;

/** The data about a network that pages get. */
export type PageNetwork = Network & {
  /**
   * Whether this node runs the chain itself. Such a chain is a simulation and isn't connected to any public network.
   */
  isLocal: boolean;
  /** The public chain with the same ID. Signatures for this network are also valid there. */
  publicChain: PublicChain | undefined;
};

/** The chain's name for wallets and programs, such as "Monad Testnet (Tollscan, local)". */
export function toChainName({ label, isLocal, publicChain }: PageNetwork): string {
  const name = publicChain?.name ?? label;
  return isLocal ? `${name} (Tollscan, local)` : name;
}

/** Whether signatures for this local network would be valid on a chain with real money. */
export function isMainnetSimulation({ isLocal, publicChain }: PageNetwork): boolean {
  return isLocal && publicChain?.isMainnet === true;
}

/**
 * The warning shown before someone uses a key on a network whose signatures are also valid on a chain with real money.
 */
export function findMainnetWarning(network: PageNetwork): string | undefined {
  if (!isMainnetSimulation(network)) return undefined;
  const real = `the real ${network.publicChain?.name}`;
  return `This simulation has chain ID ${network.chainId}, so what you sign here is also valid on ${real}. Only use keys with no funds there, such as the burner account.`;
}

/**
 * The amounts that the faucets on embedded networks send, in whole native tokens and whole units of each payment token.
 */
export const faucetAmounts = { native: 10, token: 100 };

/** A network with at least one token to pay with. */
export type PayableNetwork = Network & { tokens: [Token, ...Token[]] };

export function isPayable<N extends Network>(network: N): network is N & PayableNetwork {
  return network.tokens.length > 0;
}

/** The configured token at an address. */
export function findToken({ tokens }: Pick<Network, "tokens">, address: string): Token | undefined {
  return tokens.find((token) => isSameAddress(token.address, address));
}

/** The name of an address on a network: a token's symbol, or the name of a contract that payments rely on. */
export function findContractName({ tokens, contracts }: Network, address: string): string | undefined {
  const token = findToken({ tokens }, address);
  if (token) return token.symbol;
  const key = contractKeys.find((candidate) => isSameAddress(contracts[candidate], address));
  return key && contractNames[key];
}

/** The CAIP-2 ID for an EVM chain, such as "eip155:10143". */
export function toCaip2(chainId: number): `eip155:${number}` {
  return `eip155:${chainId}`;
}

/** Path of the network's JSON-RPC endpoint. */
export function toRpcPath(network: Pick<Network, "name">): string {
  return `/api/rpc/${network.name}`;
}
