/**
 * Addresses of the contracts that payments rely on. The addresses are the canonical ones unless the operator configured
 * others. This file has no dependencies, so that pages stay small.
 */

type Address = `0x${string}`;

export type Contracts = {
  /** Moves a payer's tokens if the payer has approved this contract for the token and signed the transfer. */
  permit2: Address;
  /** The proxies that settle `exact` and `upto` payments through the network's Permit2. */
  exactPermit2Proxy: Address;
  uptoPermit2Proxy: Address;
  /** Combines several settlements in one transaction. */
  multicall3: Address;
  create2Deployer: Address;
};

/** The contracts' canonical addresses, which are the same on every public chain. */
export const canonicalContracts = {
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  exactPermit2Proxy: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
  uptoPermit2Proxy: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  create2Deployer: "0x4e59b44847b379578588920cA78FbF26c0B4956C",
} as const satisfies Contracts;

/** Display names. */
export const contractNames = {
  permit2: "Permit2",
  exactPermit2Proxy: "x402ExactPermit2Proxy",
  uptoPermit2Proxy: "x402UptoPermit2Proxy",
  multicall3: "Multicall3",
  create2Deployer: "CREATE2 deployer",
} as const satisfies Record<keyof Contracts, string>;

export const contractKeys = Object.keys(canonicalContracts) as (keyof Contracts)[];

/** Compares two addresses, ignoring case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
