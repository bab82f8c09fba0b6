/**
 * What browser and server agree on about a network. No secrets: it is serialised into every page.
 */

export type Token = {
  address: `0x${string}`;
  symbol: string;
  decimals: number;
  /** EIP-712 domain of EIP-2612 and EIP-3009. */
  eip712?: { name: string; version: string };
  /** Whether the token has EIP-3009, and so can be paid without an allowance. */
  eip3009: boolean;
};

export type Network = {
  /** Path segment and name: "testnet". */
  name: string;
  /** Shown to people: "Testnet". */
  label: string;
  chainId: number;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  /** tokens[0] is what prices in dollars are paid in. */
  tokens: [Token, ...Token[]];
  /** Whether this node runs the chain itself: then it has a faucet, burner wallets and public keys. */
  embedded: boolean;
};

/** CAIP-2 id of an EVM chain: "eip155:10143". */
export function toCaip2(chainId: number): `eip155:${number}` {
  return `eip155:${chainId}`;
}

/** Path of the network's JSON-RPC endpoint. */
export function toRpcPath(network: Pick<Network, "name">): string {
  return `/api/rpc/${network.name}`;
}
