/**
 * Signs Permit2 messages in the contract tests. Invariant: the typed data is written out here and shares nothing with
 * the code under test. If a contract has a wrong type hash or witness type string, a test fails.
 */
import type { Hex } from "viem";
import type { TestAccount } from "@/server/contracts/testing/anvilChain";

const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/** Permit2's EIP-712 domain has no version. */
export const permit2Domain = { name: "Permit2", chainId: 10143, verifyingContract: permit2 } as const;

export type Permitted = { token: Hex; amount: bigint };
export type Terms<Tokens> = { permitted: Tokens; nonce: bigint; deadline: bigint };

const tokenPermissions = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
] as const;
const permitFields = [
  { name: "spender", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint256" },
] as const;
const details = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint160" },
  { name: "expiration", type: "uint48" },
  { name: "nonce", type: "uint48" },
] as const;

const witnessFields = {
  exact: [
    { name: "to", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
  upto: [
    { name: "to", type: "address" },
    { name: "facilitator", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;

/** Signs a PermitTransferFrom, or a PermitBatchTransferFrom if `permitted` is a list. */
export function signPermitTransfer(
  signer: TestAccount,
  spender: Hex,
  terms: Terms<Permitted | Permitted[]>,
  domain: { name: string; chainId: number; verifyingContract: Hex } = permit2Domain,
): Promise<Hex> {
  const batch = Array.isArray(terms.permitted);
  const primaryType = batch ? "PermitBatchTransferFrom" : "PermitTransferFrom";
  return signer.signTypedData({
    domain,
    types: {
      [primaryType]: [{ name: "permitted", type: batch ? "TokenPermissions[]" : "TokenPermissions" }, ...permitFields],
      TokenPermissions: tokenPermissions,
    },
    primaryType,
    message: { ...terms, spender },
  });
}

/**
 * Signs a PermitWitnessTransferFrom, or its batch form if `permitted` is a list. If the witness names a facilitator, it
 * is a witness for the `upto` scheme; otherwise, for the `exact` scheme.
 */
export function signWitnessTransfer(
  signer: TestAccount,
  spender: Hex,
  terms: Terms<Permitted | Permitted[]>,
  witness: { to: Hex; facilitator?: Hex; validAfter: bigint },
): Promise<Hex> {
  const batch = Array.isArray(terms.permitted);
  const primaryType = batch ? "PermitBatchWitnessTransferFrom" : "PermitWitnessTransferFrom";
  return signer.signTypedData({
    domain: permit2Domain,
    types: {
      [primaryType]: [
        { name: "permitted", type: batch ? "TokenPermissions[]" : "TokenPermissions" },
        ...permitFields,
        { name: "witness", type: "Witness" },
      ],
      TokenPermissions: tokenPermissions,
      Witness: witness.facilitator ? witnessFields.upto : witnessFields.exact,
    },
    primaryType,
    message: { ...terms, spender, witness },
  });
}

export type Details = { token: Hex; amount: bigint; expiration: number; nonce: number };

/** Signs a PermitSingle, or a PermitBatch if `details` is a list. */
export function signAllowance(
  signer: TestAccount,
  message: { details: Details | Details[]; spender: Hex; sigDeadline: bigint },
): Promise<Hex> {
  const batch = Array.isArray(message.details);
  const primaryType = batch ? "PermitBatch" : "PermitSingle";
  return signer.signTypedData({
    domain: permit2Domain,
    types: {
      [primaryType]: [
        { name: "details", type: batch ? "PermitDetails[]" : "PermitDetails" },
        { name: "spender", type: "address" },
        { name: "sigDeadline", type: "uint256" },
      ],
      PermitDetails: details,
    },
    primaryType,
    message,
  });
}
