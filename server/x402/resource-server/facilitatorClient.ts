/**
 * How a resource server reaches a facilitator: over HTTP, in this process, or by settling directly. A settlement has
 * three outcomes: rejected, settled, or unknown so far.
 */
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from "@/lib/x402/types";

export type FacilitatorClient = {
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>;
  /**
   * Settles a payment. If `errorReason` is "settlement_pending", the payer may still be charged, so settle the same
   * payment again. A facilitator reports success only once, unless the same `idempotencyKey` is sent again.
   */
  settle(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    caller?: { idempotencyKey?: string | undefined },
  ): Promise<SettleResponse>;
  /** Releases the part of the payer's balance that `verify` reserved. */
  release(payload: PaymentPayload, requirements: PaymentRequirements): void;
  /** Rejects with FacilitatorClientError if the facilitator cannot be reached. */
  getSupported(): SupportedKinds | Promise<SupportedKinds>;
};

/** The part of the response to GET /supported that a resource server reads. */
type SupportedKinds = { kinds: readonly unknown[] };

type FacilitatorClientErrorCode =
  /** No response arrived, or it was too large to read. */
  | "unreachable"
  /** The response does not follow the protocol. */
  | "bad_answer"
  | "upto_unsupported";

/** Thrown if the facilitator could not be reached or returned an invalid response. The message says which. */
export class FacilitatorClientError extends Error {
  override name = "FacilitatorClientError";
  readonly code: FacilitatorClientErrorCode;

  constructor(code: FacilitatorClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the `facilitatorAddress` of a network's upto kind, or undefined if there is none. */
export function findUptoAddress({ kinds }: SupportedKinds, network: string): string | undefined {
  for (const kind of kinds as readonly { scheme?: unknown; network?: unknown; extra?: unknown }[]) {
    if (kind?.scheme !== "upto" || kind.network !== network) continue;
    const address = (kind.extra as { facilitatorAddress?: unknown } | null | undefined)?.facilitatorAddress;
    if (typeof address === "string") return address;
  }
  return undefined;
}
