/**
 * What a payment takes of whoever makes it: a key that signs, and where it is given, sight of the payer's token. Types
 * alone, so that a wallet in a page, a burner key and a program's account all do.
 */
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

export type PaymentSigner = {
  address: Hex;
  signTypedData(data: TypedData): Promise<Hex>;
  /**
   * Signs a transaction and sends nothing. A key can, most wallets cannot; with it a server may take the approval of a
   * token without EIP-2612 along with the payment.
   */
  signTransaction?(transaction: ApprovalTransaction): Promise<Hex>;
};

/** approve(Permit2, amount) on the requirement's token, as it is signed. */
type ApprovalTransaction = ApprovalTerms & {
  type: "eip1559";
  chainId: number;
  to: Hex;
  data: Hex;
  gas: bigint;
};

/** The payer's next nonce, and what a block takes for gas in wei. */
type ApprovalTerms = { nonce: number; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Reads of the requirement's token on its network, with which the first payment through Permit2 needs no approval. */
export type TokenReads = {
  /** What Permit2 may move of the owner's. */
  getAllowance(requirement: PaymentRequirements, spender: Hex): Promise<bigint>;
  /** EIP-2612 nonces(owner). */
  getPermitNonce(requirement: PaymentRequirements): Promise<bigint>;
  /** Under which terms an approval is signed; undefined where the network has no base fee (EIP-1559). */
  findApprovalTerms?(requirement: PaymentRequirements): Promise<ApprovalTerms | undefined>;
};

/** The payer's token on the requirement's network. */
export type TokenAccess = {
  /** Units of the requirement's asset that the payer holds. Without it, the first allowed requirement is taken. */
  getBalance: (requirement: PaymentRequirements) => Promise<bigint>;
  /** Lets a first payment through Permit2 go without an approval, where the server sponsors it. */
  reads: TokenReads;
  /**
   * Lets Permit2 move the amount, where the allowance is too low and the server does not sponsor it: sends the approval,
   * waits for it and answers its hash. Without it such a requirement is not paid. Called only where reads are given.
   */
  approve: (requirement: PaymentRequirements, spender: Hex) => Promise<Hex>;
};
