/**
 * Who checks and settles payments for a paywall, wherever that is done. Its answers keep three outcomes apart: refused,
 * settled and not known yet.
 */
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@/lib/x402/types";

/** The facilitator did not answer as one; the message is one sentence. */
export class ClerkError extends Error {
  override name = "ClerkError";
}

export type Clerk = {
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>;
  /** errorReason "settlement_pending" says that the payer may be charged yet: the same payment must be asked again. */
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>;
  /** Gives back what verify held of the payer's balance. */
  release(payload: PaymentPayload, requirements: PaymentRequirements): void;
  /** The account that settles payments of scheme upto on a network; undefined where none does. Throws ClerkError. */
  findUptoAddress(network: string): Promise<string | undefined>;
};
