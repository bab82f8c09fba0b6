/**
 * The payer's side of a payment: a signer and, optionally, access to the payer's token. This file defines only types,
 * so that wallets, burner keys and programs can implement them.
 */
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

export type PaymentSigner = {
  address: Hex;
  signTypedData(data: TypedData): Promise<Hex>;
  /**
   * Signs a transaction without sending it, which most wallets can't do. If the signer can, a payment can include the
   * Permit2 approval even if the token lacks EIP-2612.
   */
  signTransaction?(transaction: ApprovalTransaction): Promise<Hex>;
};

/** The transaction to sign: a call to approve(Permit2, amount) on the requirement's token. */
type ApprovalTransaction = ApprovalTerms & {
  type: "eip1559";
  chainId: number;
  to: Hex;
  data: Hex;
  gas: bigint;
};

/** The payer's next nonce, and the fees per gas in wei. */
type ApprovalTerms = { nonce: number; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/**
 * Reads the state of the requirement's token on its network. If the server sponsors approvals, the client uses these
 * reads to include an approval with its first Permit2 payment.
 */
export type TokenReads = {
  /** Returns the payer's allowance for `spender`, which is the Permit2 contract. */
  getAllowance(requirement: PaymentRequirements, spender: Hex): Promise<bigint>;
  /** EIP-2612 nonces(owner). */
  getPermitNonce(requirement: PaymentRequirements): Promise<bigint>;
  /** The nonce and fees to sign an approval with; undefined if the network has no base fee (EIP-1559). */
  findApprovalTerms?(requirement: PaymentRequirements): Promise<ApprovalTerms | undefined>;
};

/** The payer's token on the requirement's network. */
export type TokenAccess = {
  /**
   * Returns the payer's balance of the requirement's asset. Without `getBalance`, the first requirement within the
   * limits is chosen, even if the payer can't afford it.
   */
  getBalance: (requirement: PaymentRequirements) => Promise<bigint>;
  /**
   * Reads whether an approval is needed, and the values to sign one with. Without `reads`, Permit2 must already be
   * approved.
   */
  reads: TokenReads;
  /**
   * Sends an approval of Permit2 for the amount, waits until it is mined and returns its hash. Called if `reads` shows
   * that the allowance is too low and the server doesn't sponsor the approval. Without `approve`, such a requirement
   * isn't paid.
   */
  approve: (requirement: PaymentRequirements, spender: Hex) => Promise<Hex>;
};
