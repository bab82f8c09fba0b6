/**
 * Turns a requirement into a signed payment. Needs nothing of a signer but its address and EIP-712, so that a wallet,
 * a burner key in the page and a viem account all do.
 */
import { findPermit2Contracts, type Permit2Contracts } from "@/lib/x402/permit2Contracts";
import { type TypedData, toPermit2Data, toTokenPermitData, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Payload,
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Payload,
  ResourceInfo,
  SponsoredPermit,
} from "@/lib/x402/types";

export type PaymentSigner = {
  address: Hex;
  signTypedData(data: TypedData): Promise<Hex>;
};

/** Reads of the requirement's token on its network, with which the first payment through Permit2 needs no approval. */
export type TokenReads = {
  /** What Permit2 may move of the owner's. */
  getAllowance(requirement: PaymentRequirements, spender: Hex): Promise<bigint>;
  /** EIP-2612 nonces(owner). */
  getPermitNonce(requirement: PaymentRequirements): Promise<bigint>;
};

/** A requirement that cannot be signed for; the message is one sentence. */
export class UnsignableRequirementError extends Error {
  override name = "UnsignableRequirementError";
}

type Method = "eip3009" | "permit2";

/** How a requirement is paid; undefined where it cannot be paid by anything here. */
function findMethod(requirement: PaymentRequirements): Method | undefined {
  const { scheme, network, extra } = requirement;
  if (findChainId(network) === undefined) return undefined;
  const method = extra?.assetTransferMethod ?? (scheme === "upto" ? "permit2" : "eip3009");
  if (method === "permit2" && !findPermit2Contracts(requirement)) return undefined;
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
  /** Without them no token permit is signed, and Permit2 must have been approved. */
  reads?: TokenReads | undefined;
  nowMs: number;
  onTypedData?: ((data: TypedData) => void) | undefined;
}): Promise<PaymentPayload> {
  const { signer, requirement, resource, reads, nowMs, onTypedData } = options;
  const method = findMethod(requirement);
  if (!method) {
    throw new UnsignableRequirementError(
      `There is no way here to sign for scheme ${requirement.scheme} on ${requirement.network}.`,
    );
  }
  const expiry = String(Math.floor(nowMs / 1000) + requirement.maxTimeoutSeconds);
  const make = method === "permit2" ? toPermit2Part : toEip3009Part;
  const { data, toPayload } = make(signer.address, requirement, expiry);
  const sign = (data: TypedData) => {
    onTypedData?.(data);
    return signer.signTypedData(data);
  };
  const payload = toPayload(await sign(data));
  const extensions =
    method === "permit2" && reads
      ? await withTokenPermit(options.extensions, signer.address, requirement, expiry, reads, sign)
      : options.extensions;
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
  const { permit2, proxy } = getPermit2Contracts(requirement);
  const permit2Authorization: Permit2Payload["permit2Authorization"] = {
    permitted: { token: requirement.asset as Hex, amount: requirement.amount },
    from,
    spender: proxy,
    nonce: BigInt(randomBytes32()).toString(),
    deadline,
    witness: {
      to: requirement.payTo as Hex,
      ...(scheme === "upto" && { facilitator: facilitator as Hex }),
      validAfter: "0",
    },
  };
  return {
    data: toPermit2Data(scheme, { chainId: findChainId(requirement.network) ?? 0, permit2 }, permit2Authorization),
    toPayload: (signature) => ({ signature, permit2Authorization }),
  };
}

const gasSponsoringKey = "eip2612GasSponsoring";

/** Whether a payment of this requirement moves the token through Permit2, which then needs an allowance. */
export function needsAllowance(requirement: PaymentRequirements): boolean {
  return findMethod(requirement) === "permit2";
}

/** Whether the server takes an EIP-2612 permit along with the payment, so that nothing need be approved before. */
export function isApprovalSponsored({ extra }: PaymentRequirements, extensions: Extensions | undefined): boolean {
  const declared = extensions?.[gasSponsoringKey];
  return (
    typeof declared === "object" &&
    declared !== null &&
    typeof extra?.name === "string" &&
    typeof extra.version === "string"
  );
}

/** Fills the declared extension with a permit for Permit2, where the server takes it and the allowance is too low. */
async function withTokenPermit(
  extensions: Extensions | undefined,
  from: Hex,
  requirement: PaymentRequirements,
  deadline: string,
  reads: TokenReads,
  sign: (data: TypedData) => Promise<Hex>,
): Promise<Extensions | undefined> {
  if (!isApprovalSponsored(requirement, extensions)) return extensions;
  const { name, version } = requirement.extra as { name: string; version: string };
  const value = BigInt(requirement.amount);
  const { permit2 } = getPermit2Contracts(requirement);
  if ((await reads.getAllowance(requirement, permit2)) >= value) return extensions;
  const nonce = await reads.getPermitNonce(requirement);
  const asset = requirement.asset as Hex;
  const permit = { owner: from, spender: permit2, value, nonce, deadline: BigInt(deadline) };
  const token = { chainId: findChainId(requirement.network) ?? 0, asset, name, version };
  const info: SponsoredPermit = {
    from,
    asset,
    spender: permit2,
    amount: requirement.amount,
    nonce: nonce.toString(),
    deadline,
    signature: await sign(toTokenPermitData(token, permit)),
    version: "1",
  };
  const declared = extensions?.[gasSponsoringKey] as { info?: object };
  // Servers compare: what they declared must come back whole, with the permit's fields beside it.
  return { ...extensions, [gasSponsoringKey]: { ...declared, info: { ...declared.info, ...info } } };
}

/** Throws UnsignableRequirementError. */
export function getPermit2Contracts(requirement: PaymentRequirements): Permit2Contracts {
  const contracts = findPermit2Contracts(requirement);
  if (contracts) return contracts;
  throw new UnsignableRequirementError("What the requirement names in extra as Permit2 or its proxy is no address.");
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
