/**
 * Refunds payments if this node has the payee's key, which is the case for the demo seller and the public test
 * accounts. Only works on embedded chains, where the money isn't real.
 */
import { findToken } from "@/lib/networks";
import { findReason } from "@/lib/x402/reason";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Signers } from "@/server/node/nodeKeys";
import type { PaymentStore } from "@/server/ports/store";
import { toServerError } from "@/server/rpc/errors";
import type { Ports } from "@/server/rpc/ports";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { signRefund } from "@/server/x402/resource-server/signRefund";

export function createRefund({
  network,
  payments,
  nowSeconds,
  signers,
  facilitator,
}: {
  network: NetworkConfig;
  payments: PaymentStore;
  /** The time on the chain's clock. */
  nowSeconds: () => number;
  signers: Signers;
  facilitator: Facilitator;
}): Ports["refund"] {
  return async (id) => {
    const record = await payments.findPayment(id);
    if (!record) return undefined;
    if (record.state === "refunded") throw toServerError("The payment has already been refunded.");
    const payee = signers.findPayee(network, record.payee);
    if (!payee) throw toServerError(`This node doesn't have the key of the payee ${record.payee}.`);
    const signed = signRefund({
      record,
      token: findToken(network, record.asset),
      payee,
      nowMs: nowSeconds() * 1000,
    });
    if (!signed)
      throw toServerError(`The token ${record.asset} doesn't support transfers by signature, so nothing was refunded.`);
    const { success, errorReason, errorMessage, transaction, extra } = await facilitator.refund(id, await signed);
    if (!success) {
      const why = errorMessage ?? (errorReason && findReason(errorReason)?.cause);
      throw toServerError(`The refund failed: ${why ?? errorReason}`);
    }
    return { payment: String(extra?.paymentId) as typeof id, transaction: transaction as typeof id };
  };
}
