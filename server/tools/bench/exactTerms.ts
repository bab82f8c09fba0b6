/** The chain and token that benchmarks and soaks pay with, and the requirements of an EIP-3009 payment on them. */
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

export const chainId = 10143;
export const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const eip712 = { name: "USDC", version: "2" };
/** The token as declared in a network's configuration file. */
export const tokenEntry = { address: token, symbol: "USDC", decimals: 6, eip712, eip3009: true };

/** units is in the token's smallest unit; the payment must be settled within maxTimeoutSeconds. */
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
