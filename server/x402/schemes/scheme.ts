/**
 * The interface between the facilitator and a payment scheme. A scheme turns a payload and a requirement into a payment
 * that can be authorized, settled and found again. Reservations, ledger, nonces and retries belong to the facilitator.
 */
import type { Contracts } from "@/lib/contracts";
import type { Token } from "@/lib/networks";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import type { Call, Reader, WireReceipt } from "@/server/x402/reads/reader";

/** A network as schemes see it. */
export type SchemeNetwork = {
  /** CAIP-2 */
  caip2: string;
  chainId: number;
  tokens: readonly Token[];
  contracts: Contracts;
  reader: Reader;
  /** The accounts that send settlements. Clients see the first one. */
  facilitators: readonly [Hex, ...Hex[]];
  /** Maximum price per gas. */
  maxFeeWei?: bigint | undefined;
  nowSeconds(): number;
};

/** The parts of a payment that the ledger stores; addresses are lowercase. */
export type PaymentTerms = {
  network: string;
  scheme: "exact" | "upto";
  asset: Hex;
  payer: Hex;
  payee: Hex;
  /** In units: the amount that the payer authorized, and the amount to move. */
  amountUnits: bigint;
  chargeUnits: bigint;
  /** 32 bytes */
  nonce: Hex;
  /** Seconds since the epoch; at most the largest safe integer. */
  validBefore: number;
};

/** An approval that must be in a block before its payment can be settled. */
export type Approval = {
  payer: Hex;
  asset: Hex;
  spender: Hex;
  transaction: { hash: Hex; raw: Hex };
  /** The transaction as a call, with the transaction's gas. */
  call: Call & { from: Hex };
  nonce: bigint;
  gas: bigint;
  /** Maximum wei per gas that the transaction may pay. */
  maxFeeWei: bigint;
  /** The allowance for Permit2 that the payment needs, in units. */
  neededUnits: bigint;
};

/** The call that settles a payment. */
export type Authorization = {
  call: Call;
  /**
   * Set if the call can be batched: any contract may make the call, and it runs only known contracts' code. Two
   * payments with the same key would have identical logs, so they never share a transaction.
   */
  batchKey: string | undefined;
  /** Whether the call runs the payer's own code, which may behave differently each time. */
  payerHasCode: boolean;
  /** The payer's approval transaction, which must be in a block first. */
  approval?: Approval | undefined;
};

export type Payment = {
  terms: PaymentTerms;
  payload: PaymentPayload;
  /** The only account that may send the settlement, if the payer chose one. */
  sender?: Hex;
  /** Checks everything except the simulation and returns the settlement call. Throws PaymentError. */
  authorize(): Promise<Authorization>;
  /** The first on-chain rule that the payment breaks, assuming that its approval is already in a block. */
  findChainError(): Promise<PaymentError | undefined>;
  /** Explains why the settlement call reverts. */
  explain(revert: Revert): Promise<PaymentError>;
  /** Whether the authorization was consumed on the chain. */
  isUsed(): Promise<boolean>;
  /** The transaction that consumed the authorization, from any sender. */
  findUse(): Promise<Hex | undefined>;
  /** Whether a transaction with several settlements includes this one. */
  isSettledBy(receipt: WireReceipt): boolean;
  /** Throws PaymentError if a successful settlement did not move the agreed amount. */
  assertTransferred(receipt: WireReceipt): void;
  /** The error reasons for a used nonce, a call that would revert, and a settlement that reverted. */
  usedReason: PaymentError["reason"];
  simulationReason: PaymentError["reason"];
  revertedReason: PaymentError["reason"];
};

export type Scheme = {
  /** Version, namespace and scheme in one string, as in GET /supported. */
  id: `v2-eip155-${string}`;
  name: "exact" | "upto";
  /** The kind's `extra` in the response to GET /supported. */
  toKindExtra(network: SchemeNetwork): Record<string, unknown> | undefined;
  /**
   * Throws PaymentError or WireError if the payload does not match the requirement. The requirement's amount is the
   * maximum charge during verification, and the actual charge during settlement.
   */
  toPayment(
    network: SchemeNetwork,
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): Payment;
};
