/**
 * The payer's side of a payment: a key that signs and, optionally, access to the payer's token. Only types, so that a
 * wallet in a page, a burner key and a program's account all fit.
 */
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

export type PaymentSigner = {
  address: Hex;
  signTypedData(data: TypedData): Promise<Hex>;
  /**
   * Signs a transaction without sending it. A key can do this, most wallets cannot. It lets a server accept the
   * approval of a token without EIP-2612 along with the payment.
   */
  signTransaction?(transaction: ApprovalTransaction): Promise<Hex>;
};

/** approve(Permit2, amount) on the requirement's token, as signed. */
type ApprovalTransaction = ApprovalTerms & {
  type: "eip1559";
  chainId: number;
  to: Hex;
  data: Hex;
  gas: bigint;
};

/** The payer's next nonce, and the gas price in wei. */
type ApprovalTerms = { nonce: number; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/**
 * Reads of the requirement's token on its network. With them, a server that sponsors approvals can accept the first
 * payment through Permit2 without a prior approval.
 */
export type TokenReads = {
  /** The allowance that the owner gave Permit2. */
  getAllowance(requirement: PaymentRequirements, spender: Hex): Promise<bigint>;
  /** EIP-2612 nonces(owner). */
  getPermitNonce(requirement: PaymentRequirements): Promise<bigint>;
  /** The nonce and fees to sign an approval with; undefined if the network has no base fee (EIP-1559). */
  findApprovalTerms?(requirement: PaymentRequirements): Promise<ApprovalTerms | undefined>;
};

/** The payer's token on the requirement's network. */
export type TokenAccess = {
  /** Units of the requirement's asset that the payer holds. Without it, the first allowed requirement is chosen. */
  getBalance: (requirement: PaymentRequirements) => Promise<bigint>;
  /** Lets the first payment through Permit2 skip the approval if the server sponsors it. */
  reads: TokenReads;
  /**
   * Lets Permit2 move the amount if the allowance is too low and the server does not sponsor it: sends the approval,
   * waits for it and returns its hash. Without it, such a requirement is not paid. Called only if reads are given.
   */
  approve: (requirement: PaymentRequirements, spender: Hex) => Promise<Hex>;
};
