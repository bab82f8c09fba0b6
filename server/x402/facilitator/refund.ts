/**
 * Checks refunds, which are transfers from the payee back to the payer. The nonce is derived from the original payment,
 * so each payment can be refunded only once.
 */
import { toRefundNonce } from "@/lib/x402/refund";
import type { PaymentRecord } from "@/server/ports/store";
import { isDone } from "@/server/x402/facilitator/payment";
import { PaymentError } from "@/server/x402/reads/error";
import type { Payment } from "@/server/x402/schemes/scheme";

/**
 * Throws PaymentError unless the refund is signed by the payee, belongs to this payment, and is at most the settled
 * amount.
 */
export function assertRefund(record: PaymentRecord, { terms }: Payment): void {
  const refuse = (message: string) => new PaymentError("invalid_refund", message);
  if (!isDone(record)) throw new PaymentError("payment_not_settled");
  if (record.refundOf) throw refuse("The payment is itself a refund, which can't be refunded.");
  const settled = record.settledUnits ?? record.amountUnits;
  if (terms.scheme !== "exact") throw refuse("The refund must use the exact scheme.");
  if (terms.network !== record.network) throw refuse(`The refund must be on ${record.network}, like the payment.`);
  if (terms.asset !== record.asset) throw refuse(`The refund must be in ${record.asset}, like the payment.`);
  if (terms.payer !== record.payee) throw refuse(`Only the payee ${record.payee} can refund the payment.`);
  if (terms.payee !== record.payer) throw refuse(`The refund must go to the payer ${record.payer}.`);
  if (terms.chargeUnits > settled) throw refuse(`The refund must be for at most ${settled} units.`);
  const nonce = toRefundNonce(record.id);
  if (terms.nonce !== nonce) throw refuse(`The refund's nonce must be ${nonce}.`);
}
