/**
 * Turns a requirement into a signed payment. Needs nothing of a signer but its address and EIP-712, so that a wallet,
 * a burner key in the page and a viem account all do.
 */
import { type TypedData, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Payload,
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  ResourceInfo,
} from "@/lib/x402/types";

export type PaymentSigner = {
  address: Hex;
  signTypedData(data: TypedData): Promise<Hex>;
};

/** A requirement that cannot be signed for; the message is one sentence. */
export class UnsignableRequirementError extends Error {
  override name = "UnsignableRequirementError";
}

/** Whether signPayment knows how to pay this requirement. */
export function canSignPayment(requirement: PaymentRequirements): boolean {
  const method = requirement.extra?.assetTransferMethod ?? "eip3009";
  return findChainId(requirement.network) !== undefined && requirement.scheme === "exact" && method === "eip3009";
}

/**
 * Signs a payment for a requirement of a 402 answer, valid from now for its maxTimeoutSeconds.
 * onTypedData sees what is about to be signed. Throws UnsignableRequirementError, or whatever the signer throws.
 */
export async function signPayment(options: {
  signer: PaymentSigner;
  requirement: PaymentRequirements;
  resource?: ResourceInfo | undefined;
  /** Echoed, as servers that declare extensions demand it. */
  extensions?: Extensions | undefined;
  nowMs: number;
  onTypedData?: ((data: TypedData) => void) | undefined;
}): Promise<PaymentPayload> {
  const { signer, requirement, resource, extensions, nowMs, onTypedData } = options;
  if (!canSignPayment(requirement)) {
    throw new UnsignableRequirementError(
      `There is no way here to sign for scheme ${requirement.scheme} on ${requirement.network}.`,
    );
  }
  const name = requirement.extra?.name;
  const version = requirement.extra?.version;
  if (typeof name !== "string" || typeof version !== "string") {
    throw new UnsignableRequirementError(
      "The requirement does not name the token's EIP-712 name and version in extra.",
    );
  }
  const authorization: Eip3009Payload["authorization"] = {
    from: signer.address,
    to: requirement.payTo as Hex,
    value: requirement.amount,
    validAfter: "0",
    validBefore: String(Math.floor(nowMs / 1000) + requirement.maxTimeoutSeconds),
    nonce: randomBytes32(),
  };
  const chainId = findChainId(requirement.network) ?? 0;
  const data = toTransferAuthorizationData({ chainId, asset: requirement.asset as Hex, name, version }, authorization);
  onTypedData?.(data);
  const payload: Eip3009Payload = { signature: await signer.signTypedData(data), authorization };
  return {
    x402Version: 2,
    ...(resource && { resource }),
    accepted: requirement,
    payload,
    ...(extensions && { extensions }),
  };
}

/** Chain id of a CAIP-2 id in the eip155 namespace. */
export function findChainId(network: string): number | undefined {
  const match = /^eip155:([1-9]\d{0,15})$/.exec(network);
  return match ? Number(match[1]) : undefined;
}

function randomBytes32(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
