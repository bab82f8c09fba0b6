/**
 * Turns a requirement into a signed payment. Needs nothing of a signer but its address and EIP-712, so that a wallet,
 * a burner key in the page and a viem account all do.
 */
import { exactProxyAddress, uptoProxyAddress } from "@/lib/abi/x402Proxies";
import { type TypedData, toPermit2Data, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Payload,
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Payload,
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

type Method = "eip3009" | "permit2";

/** How a requirement is paid; undefined where it cannot be paid by anything here. */
function findMethod({ scheme, network, extra }: PaymentRequirements): Method | undefined {
  if (findChainId(network) === undefined) return undefined;
  const method = extra?.assetTransferMethod ?? (scheme === "upto" ? "permit2" : "eip3009");
  if (scheme === "exact" && (method === "eip3009" || method === "permit2")) return method;
  return scheme === "upto" && method === "permit2" ? method : undefined;
}

/** Whether signPayment knows how to pay this requirement. */
export function canSignPayment(requirement: PaymentRequirements): boolean {
  return findMethod(requirement) !== undefined;
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
  const method = findMethod(requirement);
  if (!method) {
    throw new UnsignableRequirementError(
      `There is no way here to sign for scheme ${requirement.scheme} on ${requirement.network}.`,
    );
  }
  const expiry = String(Math.floor(nowMs / 1000) + requirement.maxTimeoutSeconds);
  const make = method === "permit2" ? toPermit2Part : toEip3009Part;
  const { data, toPayload } = make(signer.address, requirement, expiry);
  onTypedData?.(data);
  const payload = toPayload(await signer.signTypedData(data));
  return {
    x402Version: 2,
    ...(resource && { resource }),
    accepted: requirement,
    payload,
    ...(extensions && { extensions }),
  };
}

/** What is to be signed, and the scheme's part of the payload around the signature. */
type Part = { data: TypedData; toPayload(signature: Hex): Eip3009Payload | Permit2Payload };

function toEip3009Part(from: Hex, requirement: PaymentRequirements, validBefore: string): Part {
  const name = requirement.extra?.name;
  const version = requirement.extra?.version;
  if (typeof name !== "string" || typeof version !== "string") {
    throw new UnsignableRequirementError(
      "The requirement does not name the token's EIP-712 name and version in extra.",
    );
  }
  const authorization: Eip3009Payload["authorization"] = {
    from,
    to: requirement.payTo as Hex,
    value: requirement.amount,
    validAfter: "0",
    validBefore,
    nonce: randomBytes32(),
  };
  const token = { chainId: findChainId(requirement.network) ?? 0, asset: requirement.asset as Hex, name, version };
  return {
    data: toTransferAuthorizationData(token, authorization),
    toPayload: (signature) => ({ signature, authorization }),
  };
}

function toPermit2Part(from: Hex, requirement: PaymentRequirements, deadline: string): Part {
  const scheme = requirement.scheme === "upto" ? "upto" : "exact";
  const facilitator = requirement.extra?.facilitatorAddress;
  if (scheme === "upto" && typeof facilitator !== "string") {
    throw new UnsignableRequirementError("The requirement does not name the facilitator's address in extra.");
  }
  const permit2Authorization: Permit2Payload["permit2Authorization"] = {
    permitted: { token: requirement.asset as Hex, amount: requirement.amount },
    from,
    spender: scheme === "upto" ? uptoProxyAddress : exactProxyAddress,
    nonce: BigInt(randomBytes32()).toString(),
    deadline,
    witness: {
      to: requirement.payTo as Hex,
      ...(scheme === "upto" && { facilitator: facilitator as Hex }),
      validAfter: "0",
    },
  };
  return {
    data: toPermit2Data(scheme, findChainId(requirement.network) ?? 0, permit2Authorization),
    toPayload: (signature) => ({ signature, permit2Authorization }),
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
