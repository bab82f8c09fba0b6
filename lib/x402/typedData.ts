/**
 * The EIP-712 typed data that a payer signs. Its hash equals the one that the settling contract computes. The signer
 * adds the EIP712Domain type.
 */
import type { Eip3009Authorization, Hex, Permit2Authorization } from "@/lib/x402/types";

export type TypedData = {
  domain: { name: string; version?: string; chainId: number; verifyingContract: Hex };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** The Permit2 contract that the payer signs for, and its chain. */
export type Permit2Domain = { chainId: number; permit2: Hex };

export type TokenDomain = { chainId: number; asset: Hex; name: string; version: string };

/** The fields of TransferWithAuthorization and ReceiveWithAuthorization. */
export const authorizationFields = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;

/** EIP-3009: anyone with the signature can make the token move value from payer to payee, once per nonce. */
export function toTransferAuthorizationData(token: TokenDomain, authorization: Eip3009Authorization): TypedData {
  return {
    domain: { name: token.name, version: token.version, chainId: token.chainId, verifyingContract: token.asset },
    types: { TransferWithAuthorization: authorizationFields },
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from,
      to: authorization.to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce,
    },
  };
}

export const permitFields = [
  { name: "owner", type: "address" },
  { name: "spender", type: "address" },
  { name: "value", type: "uint256" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;

/** EIP-2612: the spender may transfer up to `value` of the owner's tokens. */
export function toTokenPermitData(
  token: TokenDomain,
  permit: { owner: Hex; spender: Hex; value: bigint; nonce: bigint; deadline: bigint },
): TypedData {
  return {
    domain: { name: token.name, version: token.version, chainId: token.chainId, verifyingContract: token.asset },
    types: { Permit: permitFields },
    primaryType: "Permit",
    message: permit,
  };
}

const tokenPermissions = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
];
const permitWitnessTransferFrom = [
  { name: "permitted", type: "TokenPermissions" },
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
  { name: "witness", type: "Witness" },
];
const exactWitness = [
  { name: "to", type: "address" },
  { name: "validAfter", type: "uint256" },
];
const uptoWitness = [
  { name: "to", type: "address" },
  { name: "facilitator", type: "address" },
  { name: "validAfter", type: "uint256" },
];

/**
 * Permit2: the spender is the proxy, which may move the permitted amount only to the payee in the witness. The upto
 * witness also names the only facilitator that may settle. Permit2's domain has no version.
 */
export function toPermit2Data(
  scheme: "exact" | "upto",
  { chainId, permit2 }: Permit2Domain,
  { permitted, spender, nonce, deadline, witness }: Permit2Authorization,
): TypedData {
  const { to, validAfter, facilitator } = witness;
  return {
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: {
      PermitWitnessTransferFrom: permitWitnessTransferFrom,
      TokenPermissions: tokenPermissions,
      Witness: scheme === "upto" ? uptoWitness : exactWitness,
    },
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      spender,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: {
        to,
        ...(scheme === "upto" && { facilitator }),
        validAfter: BigInt(validAfter),
      },
    },
  };
}
