/**
 * What a payer signs. Each function gives EIP-712 typed data whose hash the settling contract computes alike; the
 * EIP712Domain type is left to the signer, which derives it from the domain.
 */
import type { Eip3009Authorization, Hex } from "@/lib/x402/types";

export type TypedData = {
  domain: { name: string; version?: string; chainId: number; verifyingContract: Hex };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

export type TokenDomain = { chainId: number; asset: Hex; name: string; version: string };

const transferWithAuthorization = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
];

/** EIP-3009: the token moves value from payer to payee for whoever shows the signature, once per nonce. */
export function toTransferAuthorizationData(token: TokenDomain, authorization: Eip3009Authorization): TypedData {
  return {
    domain: { name: token.name, version: token.version, chainId: token.chainId, verifyingContract: token.asset },
    types: { TransferWithAuthorization: transferWithAuthorization },
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
