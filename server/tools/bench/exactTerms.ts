/**
 * Defines the chain and the token that benchmarks and soak tests use, and creates requirements for EIP-3009 payments in
 * that token.
 */
import type { Hex, PaymentRequirements } from "@/lib/x402/types";
import { toTokenAccount } from "@/server/contracts/predeploys";
import type { GenesisAccount } from "@/server/ethereum/types";

export const chainId = 10143;
export const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const eip712 = { name: "USDC", version: "2" };
/** The token as declared in a network's configuration file. */
export const tokenEntry = { address: token, symbol: "USDC", decimals: 6, eip712, eip3009: true };

export type Allocation = { address: string; wei: bigint; units: bigint };

/** Creates a configuration file with one local network that funds these accounts. */
export function toNetworksFile(name: string, allocations: readonly Allocation[]): string {
  const funded = allocations.map(({ address, wei, units }) => ({
    address,
    balanceWei: String(wei),
    tokenUnits: String(units),
  }));
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  return JSON.stringify([{ name, chainId, nativeCurrency, tokens: [tokenEntry], funded }]);
}

/** Returns the token as a genesis account for another client's chain. Each holder starts with this balance. */
export function toTokenGenesis(owner: Hex, holders: readonly { address: Hex }[], units: bigint): GenesisAccount {
  const balances = holders.map(({ address }) => ({ address: address.toLowerCase() as Hex, units }));
  return toTokenAccount({ name: "USDC", symbol: "USDC", decimals: 6, version: "2", eip3009: true, owner, balances });
}

/** `units` is the price in the token's smallest units. The payment must be settled within `maxTimeoutSeconds`. */
export function toExactRequirement(units: bigint, payTo: Hex, maxTimeoutSeconds: number): PaymentRequirements {
  return {
    scheme: "exact",
    network: `eip155:${chainId}`,
    amount: String(units),
    asset: token,
    payTo,
    maxTimeoutSeconds,
    extra: eip712,
  };
}
