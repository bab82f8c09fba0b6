/**
 * Turns a requirement into a signed payment. The signer only needs an address and EIP-712 signing, so wallets, burner
 * keys and viem accounts all work.
 */
import { toLowerAddress } from "@/lib/address";
import type { PaymentSigner, TokenReads } from "@/lib/x402/payer";
import { findPermit2Contracts, type Permit2Contracts } from "@/lib/x402/permit2Contracts";
import { findPaymentRules } from "@/lib/x402/rules/paymentRules";
import { findTransferMethod, type TransferMethod } from "@/lib/x402/signedPayment";
import { toCalldata } from "@/lib/x402/tokenCalls";
import { type TypedData, toPermit2Data, toTokenPermitData, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Payload,
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Payload,
  ResourceInfo,
  SponsoredApproval,
  SponsoredPermit,
} from "@/lib/x402/types";

/** Thrown for a requirement that cannot be signed. The message can be shown to users. */
class UnsignableRequirementError extends Error {
  override name = "UnsignableRequirementError";
  readonly code = "UNSIGNABLE_REQUIREMENT";
}

/** The transfer method for paying a requirement; undefined if the requirement isn't supported. */
function findMethod(requirement: PaymentRequirements): TransferMethod | undefined {
  if (findChainId(requirement.network) === undefined || !findPaymentRules(requirement)) return undefined;
  const method = findTransferMethod(requirement);
  return method === "permit2" && !findPermit2Contracts(requirement) ? undefined : method;
}

/** Whether signPayment knows how to pay this requirement. */
export function canSignPayment(requirement: PaymentRequirements): boolean {
  return findMethod(requirement) !== undefined;
}

/**
 * Signs a payment for one of a 402 response's requirements. The payment expires after `maxTimeoutSeconds`.
 * `onTypedData` receives the data before it is signed. Throws UnsignableRequirementError, or the signer's error.
 */
export async function signPayment(options: {
  signer: PaymentSigner;
  requirement: PaymentRequirements;
  resource?: ResourceInfo | undefined;
  /** The extensions that the server declared. The payment includes them, because servers check for them. */
  extensions?: Extensions | undefined;
  /** Random by default. Refunds set it so that they can be recognized. */
  nonce?: Hex;
  /** Without `reads`, no token permit or approval is signed, so Permit2 must already be approved. */
  reads?: TokenReads | undefined;
  nowMs: number;
  onTypedData?: ((data: TypedData) => void) | undefined;
}): Promise<PaymentPayload> {
  const { signer, requirement: accepted, resource, reads, nowMs, onTypedData } = options;
  // Addresses are lowercased, because signers reject a wrong checksum. `accepted` stays unchanged, because servers
  // compare it with the requirement that they sent.
  const requirement = { ...accepted, asset: toLowerAddress(accepted.asset), payTo: toLowerAddress(accepted.payTo) };
  const method = findMethod(requirement);
  if (!method) {
    throw new UnsignableRequirementError(
      `Signing for the ${requirement.scheme} scheme on ${requirement.network} is not supported.`,
    );
  }
  const expiry = String(Math.floor(nowMs / 1000) + requirement.maxTimeoutSeconds);
  const make = method === "permit2" ? toPermit2Part : toEip3009Part;
  const { data, toPayload } = make(signer.address, requirement, expiry, options.nonce ?? randomBytes32());
  const sign = (data: TypedData) => {
    onTypedData?.(data);
    return signer.signTypedData(data);
  };
  const payload = toPayload(await sign(data));
  const extensions =
    method === "permit2" && reads
      ? await withSponsoring(options.extensions, { signer, requirement, deadline: expiry, reads, sign })
      : options.extensions;
  return {
    x402Version: 2,
    ...(resource && { resource }),
    accepted,
    payload,
    ...(extensions && { extensions }),
  };
}

/** The data to sign, and the function that builds the scheme's payload around the signature. */
type Part = { data: TypedData; toPayload(signature: Hex): Eip3009Payload | Permit2Payload };

function toEip3009Part(from: Hex, requirement: PaymentRequirements, validBefore: string, nonce: Hex): Part {
  const name = requirement.extra?.name;
  const version = requirement.extra?.version;
  if (typeof name !== "string" || typeof version !== "string") {
    throw new UnsignableRequirementError(
      "The requirement's extra field doesn't include the token's EIP-712 name or version.",
    );
  }
  const authorization: Eip3009Payload["authorization"] = {
    from,
    to: requirement.payTo as Hex,
    value: requirement.amount,
    validAfter: "0",
    validBefore,
    nonce,
  };
  const token = { chainId: findChainId(requirement.network) ?? 0, asset: requirement.asset as Hex, name, version };
  return {
    data: toTransferAuthorizationData(token, authorization),
    toPayload: (signature) => ({ signature, authorization }),
  };
}

function toPermit2Part(from: Hex, requirement: PaymentRequirements, deadline: string, nonce: Hex): Part {
  const scheme = requirement.scheme === "upto" ? "upto" : "exact";
  const facilitator = requirement.extra?.facilitatorAddress;
  if (scheme === "upto" && typeof facilitator !== "string") {
    throw new UnsignableRequirementError(
      "The requirement's extra field has no facilitatorAddress, which upto requires.",
    );
  }
  const { permit2, proxy } = getPermit2Contracts(requirement);
  const permit2Authorization: Permit2Payload["permit2Authorization"] = {
    permitted: { token: requirement.asset as Hex, amount: requirement.amount },
    from,
    spender: proxy,
    nonce: BigInt(nonce).toString(),
    deadline,
    witness: {
      to: requirement.payTo as Hex,
      ...(scheme === "upto" && { facilitator: toLowerAddress(String(facilitator)) }),
      validAfter: "0",
    },
  };
  return {
    data: toPermit2Data(scheme, { chainId: findChainId(requirement.network) ?? 0, permit2 }, permit2Authorization),
    toPayload: (signature) => ({ signature, permit2Authorization }),
  };
}

const permitKey = "eip2612GasSponsoring";
const approvalKey = "erc20ApprovalGasSponsoring";

/**
 * The gas limit of a signed approval. Most tokens use about 46,000 gas, and those behind a proxy a few thousand more.
 */
const approvalGas = 70_000n;

/** Whether paying this requirement moves the token through Permit2, which needs an allowance. */
export function needsAllowance(requirement: PaymentRequirements): boolean {
  return findMethod(requirement) === "permit2";
}

/**
 * Whether the payment can include the Permit2 approval, either as an EIP-2612 permit or as a transaction that the payer
 * signs without sending. The server must have declared that it accepts this.
 */
export function isApprovalSponsored(
  requirement: PaymentRequirements,
  extensions: Extensions | undefined,
  payer: { signer?: PaymentSigner; reads?: TokenReads | undefined } = {},
): boolean {
  return findSponsoring(requirement, extensions, payer) !== undefined;
}

function findSponsoring(
  { extra }: PaymentRequirements,
  extensions: Extensions | undefined,
  { signer, reads }: { signer?: PaymentSigner; reads?: TokenReads | undefined },
): "permit" | "transaction" | undefined {
  const isDeclared = (key: string) => typeof extensions?.[key] === "object" && extensions[key] !== null;
  if (isDeclared(permitKey) && typeof extra?.name === "string" && typeof extra.version === "string") return "permit";
  return isDeclared(approvalKey) && signer?.signTransaction && reads?.findApprovalTerms ? "transaction" : undefined;
}

type Sponsored = {
  signer: PaymentSigner;
  requirement: PaymentRequirements;
  deadline: string;
  reads: TokenReads;
  sign: (data: TypedData) => Promise<Hex>;
};

/**
 * If the server accepts Permit2 approvals in a payment and the allowance is too low, adds an approval to the extension
 * that the server declared.
 */
async function withSponsoring(
  extensions: Extensions | undefined,
  sponsored: Sponsored,
): Promise<Extensions | undefined> {
  const { requirement, reads } = sponsored;
  const sponsoring = findSponsoring(requirement, extensions, sponsored);
  if (!sponsoring) return extensions;
  const { permit2 } = getPermit2Contracts(requirement);
  if ((await reads.getAllowance(requirement, permit2)) >= BigInt(requirement.amount)) return extensions;
  const [key, info] =
    sponsoring === "permit"
      ? ([permitKey, await toTokenPermit(sponsored, permit2)] as const)
      : ([approvalKey, await findSignedApproval(sponsored, permit2)] as const);
  if (!info) return extensions;
  const declared = extensions?.[key] as { info?: object };
  // Keeps the declared fields, because servers check that the payment contains everything they declared.
  return { ...extensions, [key]: { ...declared, info: { ...declared.info, ...info } } };
}

async function toTokenPermit(
  { signer, requirement, deadline, reads, sign }: Sponsored,
  permit2: Hex,
): Promise<SponsoredPermit> {
  const { name, version } = requirement.extra as { name: string; version: string };
  const nonce = await reads.getPermitNonce(requirement);
  const asset = requirement.asset as Hex;
  const value = BigInt(requirement.amount);
  const permit = { owner: signer.address, spender: permit2, value, nonce, deadline: BigInt(deadline) };
  const token = { chainId: findChainId(requirement.network) ?? 0, asset, name, version };
  return {
    from: signer.address,
    asset,
    spender: permit2,
    amount: requirement.amount,
    nonce: nonce.toString(),
    deadline,
    signature: await sign(toTokenPermitData(token, permit)),
    version: "1",
  };
}

/** Signs an approval for exactly the required amount, so that the allowance can't be used for more. */
async function findSignedApproval(
  { signer, requirement, reads }: Sponsored,
  permit2: Hex,
): Promise<SponsoredApproval | undefined> {
  const terms = await reads.findApprovalTerms?.(requirement);
  if (!terms || !signer.signTransaction) return undefined;
  const asset = requirement.asset as Hex;
  const signedTransaction = await signer.signTransaction({
    type: "eip1559",
    chainId: findChainId(requirement.network) ?? 0,
    to: asset,
    data: toCalldata("approve", permit2, BigInt(requirement.amount)),
    gas: approvalGas,
    ...terms,
  });
  return { from: signer.address, asset, spender: permit2, amount: requirement.amount, signedTransaction, version: "1" };
}

/** Throws UnsignableRequirementError. */
export function getPermit2Contracts(requirement: PaymentRequirements): Permit2Contracts {
  const contracts = findPermit2Contracts(requirement);
  if (contracts) return contracts;
  throw new UnsignableRequirementError(
    "The requirement's extra field has an invalid permit2Address or permit2ProxyAddress.",
  );
}

/** The chain ID of a CAIP-2 ID in the eip155 namespace; undefined for any other text. */
export function findChainId(network: string): number | undefined {
  const match = /^eip155:([1-9]\d{0,15})$/.exec(network);
  return match ? Number(match[1]) : undefined;
}

function randomBytes32(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
