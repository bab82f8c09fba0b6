/**
 * Encodes and decodes the three x402 headers, which contain UTF-8 JSON in standard base64. A header never exceeds
 * `maxHeaderLength`, because Node rejects requests with more than 16 KiB of headers.
 */
import { WireError } from "@/lib/x402/wireError";

export const paymentRequiredHeader = "PAYMENT-REQUIRED";
export const paymentSignatureHeader = "PAYMENT-SIGNATURE";
export const paymentResponseHeader = "PAYMENT-RESPONSE";
/** Sent by the facilitator to the resource server, with the outcome of each extension. */
export const extensionResponsesHeader = "EXTENSION-RESPONSES";
/**
 * Sent by the resource server to the facilitator. A settle request that is repeated with the same key gets the same
 * success response. The header's name is lowercase.
 */
export const idempotencyKeyHeader = "idempotency-key";

/**
 * The maximum length of an encoded header. A Permit2 payment with a gas-sponsoring permit takes about 3,000 characters.
 */
export const maxHeaderLength = 12_288;

/** Encodes a JSON value for an x402 header. Throws WireError if it would be too long. */
export function encodeHeader(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const encoded = btoa(binary);
  if (encoded.length > maxHeaderLength) {
    throw new WireError(
      "invalid_payload",
      `The header would be ${encoded.length} characters long; the limit is ${maxHeaderLength}.`,
    );
  }
  return encoded;
}

/** Decodes an x402 header to a JSON value, without validating that value. Throws WireError. */
export function decodeHeader(text: string): unknown {
  if (text.length > maxHeaderLength) {
    throw new WireError(
      "invalid_payload",
      `The header is ${text.length} characters long; the limit is ${maxHeaderLength}.`,
    );
  }
  if (text === "") throw new WireError("invalid_payload", "The header is empty.");
  // Rejects the URL-safe base64 alphabet, as other x402 implementations do.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new WireError("invalid_payload", "The header is not standard base64.");
  const json = toUtf8(text);
  try {
    return JSON.parse(json);
  } catch {
    throw new WireError("invalid_payload", "The header is valid base64 but does not contain JSON.");
  }
}

function toUtf8(base64: string): string {
  try {
    const binary = atob(base64);
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch {
    throw new WireError("invalid_payload", "The header is valid base64 but does not contain UTF-8 text.");
  }
}
