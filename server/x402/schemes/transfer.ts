/**
 * Code that both token transfer methods share: checks who signed, finds the payment's Transfer event, and normalizes
 * values before they are compared and recorded.
 */
import { toSafeSeconds } from "@/lib/x402/rules/signedRules";
import type { SignedPayment } from "@/lib/x402/signedPayment";
import type { Hex } from "@/lib/x402/types";
import { PaymentError } from "@/server/x402/reads/error";
import type { Reader, WireReceipt } from "@/server/x402/reads/reader";
import { isSignedByContract, isSignedByKey } from "@/server/x402/reads/signature";
import type { PaymentTerms, SchemeNetwork } from "@/server/x402/schemes/scheme";

/** Transfer(address,address,uint256) */
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Whether the receipt contains the token's Transfer event from payer to payee, for exactly the charged amount. */
export function hasTransferred(terms: PaymentTerms, receipt: WireReceipt): boolean {
  const topics = [transferTopic, toTopic(terms.payer), toTopic(terms.payee)];
  return hasLog(receipt, terms.asset, topics, toWord(terms.chargeUnits));
}

/**
 * Whether the contract emitted exactly this log. `address`, `topics` and `data` must be lowercase. Each log is
 * lowercased only when it is compared, because converting all logs for each payment in a batch would be slow.
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

/** Encodes a uint256 as 32 bytes of hex. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/**
 * Throws PaymentError if the receipt lacks the token's Transfer event from payer to payee, for exactly the charged
 * amount.
 */
export function assertTransferred(terms: PaymentTerms, receipt: WireReceipt): void {
  if (!hasTransferred(terms, receipt)) {
    throw new PaymentError("invalid_exact_evm_transfer_event_mismatch", undefined, {
      transaction: receipt.transactionHash,
    });
  }
}

/** Encodes an address as an indexed topic. */
export function toTopic(address: Hex): Hex {
  return `0x${address.slice(2).padStart(64, "0")}`;
}

export function toLower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}

/** Returns the parts of a payment that the ledger stores. */
export function toPaymentTerms(
  network: SchemeNetwork,
  signed: SignedPayment,
  { asset, payTo, ...rest }: Pick<PaymentTerms, "scheme" | "asset" | "amountUnits" | "chargeUnits"> & { payTo: Hex },
): PaymentTerms {
  return {
    ...rest,
    network: network.caip2,
    asset: toLower(asset),
    payer: toLower(signed.from),
    payee: toLower(payTo),
    nonce: toLower(signed.nonce),
    validBefore: toSafeSeconds(signed.validBefore),
  };
}

/** Whether the payer's key made the signature, or the payer's contract accepts it. */
export function isSignedByPayer(
  reader: Reader,
  { payer, payerHasCode, hash, signature }: { payer: Hex; payerHasCode: boolean; hash: Hex; signature: Hex },
): Promise<boolean> {
  return payerHasCode ? isSignedByContract(reader, payer, hash, signature) : isSignedByKey(payer, hash, signature);
}
