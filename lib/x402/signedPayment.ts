/**
 * Converts a payer's signed data to one format for both EIP-3009 and Permit2. It checks the fields without a validation
 * library, so that pages don't have to load one. The signature is not verified.
 */
import { isAddress } from "@/lib/address";
import type { Eip3009Authorization, Hex, PaymentRequirements, Permit2Authorization } from "@/lib/x402/types";

export type TransferMethod = "eip3009" | "permit2";

export type SignedPayment = {
  method: TransferMethod;
  signature: string;
  from: Hex;
  to: Hex;
  amountUnits: bigint;
  /** Seconds since the epoch. */
  validAfter: bigint;
  validBefore: bigint;
  /** 32 bytes; a Permit2 nonce is padded to this length. */
  nonce: Hex;
  /** For Permit2 only. `facilitator` is the only account that may settle. If it is undefined, any account may. */
  permit?: { token: Hex; spender: Hex; facilitator: Hex | undefined };
};

/** A requirement's transfer method; undefined if it is not supported. */
export function findTransferMethod({ scheme, extra }: PaymentRequirements): TransferMethod | undefined {
  const method = extra?.assetTransferMethod ?? (scheme === "upto" ? "permit2" : "eip3009");
  return method === "permit2" || method === "eip3009" ? method : undefined;
}

/** Reads the part of a payment that depends on the scheme. Throws TypeError if that part is malformed. */
export function toSignedPayment({
  signature,
  authorization,
  permit2Authorization,
}: Record<string, unknown>): SignedPayment {
  const signed = permit2Authorization
    ? fromPermit2(permit2Authorization as Permit2Authorization)
    : fromEip3009(authorization as Eip3009Authorization);
  return { ...signed, signature: typeof signature === "string" ? signature : "" };
}

/** Reads the part of a payment that depends on the scheme. Returns undefined if that part is malformed. */
export function findSignedPayment(payload: Record<string, unknown>): SignedPayment | undefined {
  try {
    return toSignedPayment(payload);
  } catch {
    return undefined;
  }
}

function fromEip3009({ from, to, value, validAfter, validBefore, nonce }: Eip3009Authorization) {
  return {
    method: "eip3009" as const,
    from: getAddress(from),
    to: getAddress(to),
    amountUnits: getUint(value),
    validAfter: getUint(validAfter),
    validBefore: getUint(validBefore),
    nonce: getBytes32(nonce),
  };
}

function fromPermit2({ from, permitted, spender, nonce, deadline, witness }: Permit2Authorization) {
  return {
    method: "permit2" as const,
    from: getAddress(from),
    to: getAddress(witness.to),
    amountUnits: getUint(permitted.amount),
    validAfter: getUint(witness.validAfter),
    validBefore: getUint(deadline),
    nonce: getBytes32(`0x${getUint(nonce).toString(16).padStart(64, "0")}`),
    permit: {
      token: getAddress(permitted.token),
      spender: getAddress(spender),
      facilitator: witness.facilitator && getAddress(witness.facilitator),
    },
  };
}

function getAddress(value: string): Hex {
  if (isAddress(value)) return value;
  throw new TypeError("not an address");
}

function getUint(value: string): bigint {
  const number = /^\d{1,78}$/.test(value) ? BigInt(value) : -1n;
  if (number >= 0n && number < 2n ** 256n) return number;
  throw new TypeError("not a uint256");
}

function getBytes32(value: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return value as Hex;
  throw new TypeError("not 32 bytes");
}
