/**
 * The seam between the facilitator and a payment scheme. A scheme turns a payload and a requirement into a payment that
 * can be authorised, settled and found again; everything around that (reservation, ledger, nonces, retries) is not its
 * business.
 */
import type { Token } from "@/lib/networks";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentError } from "@/server/x402/error";
import type { Revert } from "@/server/x402/jsonRpcError";
import type { Call, Reader, WireReceipt } from "@/server/x402/reader";

/** A network as schemes see it. */
export type SchemeNetwork = {
  /** CAIP-2 */
  caip2: string;
  chainId: number;
  tokens: readonly Token[];
  reader: Reader;
  /** The account that sends settlements. */
  facilitator: Hex;
  nowSeconds(): number;
};

/** What the ledger keeps of a payment; addresses are lowercase. */
export type PaymentTerms = {
  network: string;
  scheme: "exact" | "upto";
  asset: Hex;
  payer: Hex;
  payee: Hex;
  /** Units the payer authorised, and units to be moved. */
  amountUnits: bigint;
  chargeUnits: bigint;
  /** 32 bytes */
  nonce: Hex;
  /** Seconds since the epoch, at most the largest safe integer. */
  validBefore: number;
};

export type Payment = {
  terms: PaymentTerms;
  payload: PaymentPayload;
  /** Checks all but the simulation and gives the call that settles. Throws PaymentError. */
  authorize(): Promise<Call>;
  /** Why the settling call reverts. */
  explain(revert: Revert): Promise<PaymentError>;
  /** Whether the authorization was consumed on the chain. */
  isUsed(): Promise<boolean>;
  /** The transaction that consumed it, whoever sent it. */
  findUse(): Promise<Hex | undefined>;
  /** Throws PaymentError where a successful settlement did not move what was agreed. */
  assertTransferred(receipt: WireReceipt): void;
  /** The words for a nonce that was used, a call that would revert, and a settlement that reverted. */
  usedReason: PaymentError["reason"];
  simulationReason: PaymentError["reason"];
  revertedReason: PaymentError["reason"];
};

export type Scheme = {
  /** Version, namespace and scheme in one word, as advertised. */
  id: `v2-eip155-${string}`;
  name: "exact" | "upto";
  /** extra of the kind in GET supported. */
  toKindExtra(network: SchemeNetwork): Record<string, unknown> | undefined;
  /**
   * Throws PaymentError or WireError where the payload does not fit the requirement at all. The requirement's amount is
   * what may be charged at most when a payment is verified, and what is charged when it is settled.
   */
  toPayment(
    network: SchemeNetwork,
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    purpose: "verify" | "settle",
  ): Payment;
};
