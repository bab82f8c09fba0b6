/**
 * Refunds: the payee signs an ordinary payment of at most the settled amount back to the payer. Its nonce is derived
 * from the payment's id, so the signature identifies the refunded payment, and the token allows only one refund.
 */
import { concatHex, keccak256, stringToHex } from "viem";
import type { Hex } from "@/lib/x402/types";

/** The nonce of a payment's refund: bytes32 for EIP-3009, the same value as a number for Permit2. */
export function toRefundNonce(paymentId: Hex): Hex {
  return keccak256(concatHex([stringToHex("x402 refund of "), paymentId]));
}
