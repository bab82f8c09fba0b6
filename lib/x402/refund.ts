/**
 * Refunds: the payee signs a payment of at most the settled amount back to the payer. Its nonce is derived from the
 * original payment's ID, so the token allows only one refund.
 */
import { concatHex, keccak256, stringToHex } from "viem";
import type { Hex } from "@/lib/x402/types";

/** The nonce of a payment's refund: bytes32 for EIP-3009, the same value as a number for Permit2. */
export function toRefundNonce(paymentId: Hex): Hex {
  return keccak256(concatHex([stringToHex("x402 refund of "), paymentId]));
}
