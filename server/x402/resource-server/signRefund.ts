/**
 * Signs a refund as the original payment's payee: a transfer of the settled amount back to the payer. The refund's
 * nonce identifies the original payment.
 */

import type { Token } from "@/lib/networks";
import type { PaymentSigner } from "@/lib/x402/payer";
import { toRefundNonce } from "@/lib/x402/refund";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentPayload } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";

/** How many seconds the refund's signature is valid. */
const maxTimeoutSeconds = 300;

/** Returns undefined if the token doesn't support transfers by signature (EIP-3009). */
export function signRefund({
  record: { id, network, asset, payer, amountUnits, settledUnits = amountUnits },
  token,
  payee,
  nowMs,
}: {
  record: PaymentRecord;
  token: Token | undefined;
  payee: PaymentSigner;
  /** The chain's time, which may differ from the real time. */
  nowMs: number;
}): Promise<PaymentPayload> | undefined {
  if (!token?.eip3009 || !token.eip712) return undefined;
  const requirement = {
    scheme: "exact" as const,
    network,
    asset,
    payTo: payer,
    amount: String(settledUnits),
    maxTimeoutSeconds,
    extra: { ...token.eip712 },
  };
  return signPayment({ signer: payee, requirement, nonce: toRefundNonce(id), nowMs });
}
