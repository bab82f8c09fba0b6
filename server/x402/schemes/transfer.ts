/**
 * Shared by both ways of moving a token: the Transfer event that proves it, and the normalized form in which values are
 * compared and recorded, lowercase and within safe integers.
 */
import type { Hex } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";
import type { WireReceipt } from "@/server/x402/reads/reader";
import type { PaymentTerms } from "@/server/x402/schemes/scheme";

/** Transfer(address,address,uint256) */
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Whether the receipt contains the token's Transfer of exactly the charge, from payer to payee. */
export function hasTransferred(terms: PaymentTerms, receipt: WireReceipt): boolean {
  const topics = [transferTopic, toTopic(terms.payer), toTopic(terms.payee)];
  return hasLog(receipt, terms.asset, topics, toWord(terms.chargeUnits));
}

/**
 * Whether the contract logged exactly this; address, topics and data are lowercase. Logs are compared without
 * conversion, because each payment of a transaction searches all of its logs.
 */
export function hasLog({ logs }: WireReceipt, address: Hex, topics: readonly Hex[], data: Hex): boolean {
  return logs.some(
    (log) =>
      log.topics.length === topics.length &&
      topics.every((topic, at) => topic === toLower(log.topics[at] as Hex)) &&
      toLower(log.address) === address &&
      toLower(log.data) === data,
  );
}

/** A uint256 as 32 bytes. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Throws PaymentError if the receipt lacks the token's Transfer of exactly the charge, from payer to payee. */
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

/** Seconds from a uint256, at most the largest safe integer; anything later is effectively never. */
export function toSafeSeconds(decimal: string): number {
  const seconds = BigInt(decimal);
  return seconds > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(seconds);
}
