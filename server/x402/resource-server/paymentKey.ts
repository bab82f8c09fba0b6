/**
 * Identifies a payment from its payload alone: payloads with the same authorization are the same payment, even if
 * written differently.
 */
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { parseEip3009Payload, parsePermit2Payload, WireError } from "@/lib/x402/wire";

export type PaymentKey = {
  /** The same for every encoding of the same authorization. */
  key: string;
  /** When the authorization ends, seconds since the epoch, at most the largest safe integer. */
  validBefore: number;
};

/** Returns undefined if the payload's scheme is unknown. */
export function findPaymentKey({ payload }: PaymentPayload, requirement: PaymentRequirements): PaymentKey | undefined {
  const { network, asset } = requirement;
  try {
    if ("permit2Authorization" in payload) {
      const { from, nonce, deadline } = parsePermit2Payload(payload).permit2Authorization;
      return { key: toKey(network, asset, from, BigInt(nonce)), validBefore: toSafeNumber(deadline) };
    }
    const { from, nonce, validBefore } = parseEip3009Payload(payload).authorization;
    return { key: toKey(network, asset, from, BigInt(nonce)), validBefore: toSafeNumber(validBefore) };
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function toKey(network: string, asset: string, from: string, nonce: bigint): string {
  return `${network} ${asset} ${from} ${nonce}`.toLowerCase();
}

function toSafeNumber(decimal: string): number {
  const value = BigInt(decimal);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
