import { hasErrorCode } from "@/lib/hasErrorCode";

export type WireReason = "invalid_x402_version" | "invalid_payload" | "invalid_payment_requirements";

/**
 * Thrown for a message or header that violates x402 version 2. The message names the first invalid field and may be
 * shown to the sender.
 */
export class WireError extends Error {
  override name = "WireError";
  readonly code = "INVALID_MESSAGE";
  readonly reason: WireReason;

  constructor(reason: WireReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function isWireError(error: unknown): error is WireError {
  return hasErrorCode(error, "INVALID_MESSAGE");
}
