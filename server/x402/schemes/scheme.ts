/**
 * The interface between the facilitator and a payment scheme. A scheme turns a payload and a requirement into a payment
 * that can be authorized, settled and found again. Reservations, the ledger, nonces and retries are the facilitator's
 * job.
 */
import type { Contracts } from "@/lib/contracts";
import type { Token } from "@/lib/networks";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentError } from "@/server/x402/reads/error";
import type { Revert } from "@/server/x402/reads/jsonRpcError";
import type { Call, Reader, WireReceipt } from "@/server/x402/reads/reader";

/** The part of a network that schemes use. */
export type SchemeNetwork = {
  /** CAIP-2 */
  caip2: string;
  chainId: number;
  tokens: readonly Token[];
  contracts: Contracts;
  reader: Reader;
  /** The accounts that send settlements. The first one is advertised to clients. */
  facilitators: readonly [Hex, ...Hex[]];
  /** Maximum gas price in wei. */
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
  /** The amount that the payer authorized, and the amount to transfer, both in units. */
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
  /** A call that does the same as the transaction, for simulation. */
  call: Call & { from: Hex };
  nonce: bigint;
  gas: bigint;
  /** The maximum gas price that the transaction may pay, in wei. */
  maxFeeWei: bigint;
  /** The allowance that the payment needs Permit2 to have, in units. */
  neededUnits: bigint;
};

/** The call that settles a payment. */
export type Authorization = {
  call: Call;
  /**
   * Set if the call can be batched. This requires that any contract may make the call, and that it runs only the code
   * of known contracts. Two payments with the same key would have identical logs, so they never share a transaction.
   */
  batchKey: string | undefined;
  /** Whether the call runs the payer's own code, which may behave differently each time. */
  payerHasCode: boolean;
  /** The payer's approval transaction, if it must be in a block before the call. */
  approval?: Approval | undefined;
};

export type Payment = {
  terms: PaymentTerms;
  payload: PaymentPayload;
  /** The only account that may send the settlement, if the payer chose one. */
  sender?: Hex;
  /** Checks everything except the simulation and returns the settlement call. Throws PaymentError. */
  authorize(): Promise<Authorization>;
  /**
   * Finds the first on-chain rule that the payment breaks. An approval that the payment includes counts as already
   * mined.
   */
  findChainError(): Promise<PaymentError | undefined>;
  /** Explains why the settlement call reverts. */
  explain(revert: Revert): Promise<PaymentError>;
  /** Whether the authorization has been used on the chain. */
  isUsed(): Promise<boolean>;
  /** Finds the transaction that used the authorization, no matter who sent it. */
  findUse(): Promise<Hex | undefined>;
  /** Whether a batch transaction settled this payment. */
  isSettledBy(receipt: WireReceipt): boolean;
  /** Throws PaymentError if a successful settlement did not move the agreed amount. */
  assertTransferred(receipt: WireReceipt): void;
  /**
   * The reasons for rejecting a payment if its authorization was already used, if its call would revert, and if its
   * settlement reverted.
   */
  usedReason: PaymentError["reason"];
  simulationReason: PaymentError["reason"];
  revertedReason: PaymentError["reason"];
};

export type Scheme = {
  /** Version, namespace and scheme in one string, which GET /supported also returns. */
  id: `v2-eip155-${string}`;
  name: "exact" | "upto";
  /** The kind's `extra` in the response to GET /supported. */
  toKindExtra(network: SchemeNetwork): Record<string, unknown> | undefined;
  /**
   * Throws PaymentError or WireError if the payload doesn't match the requirement. The requirement's amount is the
   * maximum charge for "verify", and the actual charge for "settle".
   */
  toPayment(
    network: SchemeNetwork,
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): Payment;
};
