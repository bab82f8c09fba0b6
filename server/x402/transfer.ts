/**
 * What both ways of moving a token share: the Transfer event that proves it, and values in the one form that is compared
 * and recorded, lowercase and within safe integers.
 */
import { parseEventLogs } from "viem";
import type { Hex } from "@/lib/x402/types";
import { erc20Abi } from "@/server/x402/abi";
import { PaymentError } from "@/server/x402/error";
import type { WireReceipt } from "@/server/x402/reader";
import type { PaymentTerms } from "@/server/x402/scheme";

/** Whether the receipt has the token's Transfer of exactly what is charged, from payer to payee. */
export function hasTransferred(terms: PaymentTerms, receipt: WireReceipt): boolean {
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs: receipt.logs as never });
  return transfers.some(
    ({ address, args }) =>
      toLower(address) === terms.asset &&
      toLower(args.from) === terms.payer &&
      toLower(args.to) === terms.payee &&
      args.value === terms.chargeUnits,
  );
}

/** Throws PaymentError where the receipt lacks the token's Transfer of exactly what is charged, from payer to payee. */
export function assertTransferred(terms: PaymentTerms, receipt: WireReceipt): void {
  if (!hasTransferred(terms, receipt)) {
    throw new PaymentError("invalid_exact_evm_transfer_event_mismatch", undefined, {
      transaction: receipt.transactionHash,
    });
  }
}

/** An address as an indexed topic. */
export function toTopic(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

export function toLower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}

/** Seconds of a uint256, at most the largest safe integer: whatever is later never comes. */
export function toSafeSeconds(decimal: string): number {
  const seconds = BigInt(decimal);
  return seconds > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(seconds);
}
