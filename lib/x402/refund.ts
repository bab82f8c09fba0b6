/**
 * Refunds: the payee signs a payment back to the payer, for at most the settled amount. The refund's nonce is derived
 * from the original payment's ID, so a second refund would reuse a nonce and fail.
 */
import { concatHex, keccak256, stringToHex } from "viem";
import type { Hex } from "@/lib/x402/types";

/** The nonce for a payment's refund. EIP-3009 uses it as bytes32, and Permit2 as a number. */
export function toRefundNonce(paymentId: Hex): Hex {
  return keccak256(concatHex([stringToHex("x402 refund of "), paymentId]));
}
