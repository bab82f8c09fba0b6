/**
 * Texts of one payment. English.
 */

export const paymentMessages = {
  "payment.title": "x402 {count|payment|payments}",
  "payment.signedTitle": "Signed {count|payment|payments}",
  "payment.facts": "Payment",
  "payment.payer": "Payer",
  "payment.payee": "Payee",
  "payment.amount": "Amount",
  "payment.resource": "Resource",
  "payment.transaction": "Settlement",
  "payment.nonce": "Authorization nonce",
  "payment.nonceHint": "An EIP-3009 authorization can be used once: its nonce is spent with it",
  "payment.elsewhere": "Settled, but not by this node’s facilitator",
  "payment.toFlow": "Its flow, from the 402 on",
  "payment.page": "Payment",
  "payment.missing": "This payment is not in the ledger",
  "payment.missingHint":
    "The facilitator of this node knows no payment of that id on {network}. One that was refused before it was verified leaves no trace.",
  "payment.toLedger": "To the ledger",
  "payment.reason": "Reason",
  "payment.authorised": "Permitted",
  "payment.gas": "Gas",
  "payment.batch": "{count} {count|payment|payments} in the transaction",
  "payment.created": "Received",
  "payment.refundOf": "Refund of",
  "payment.refund": "Refunded",
  "payment.others": "its other payments",
  "payment.flow": "Through the ledger and the chain",
  "payment.flowNone": "It was received, and nothing came of it yet",
} as const;
