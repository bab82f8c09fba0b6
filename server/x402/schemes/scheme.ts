/**
 * The seam between the facilitator and a payment scheme. A scheme turns a payload and a requirement into a payment that
 * can be authorised, settled and found again; everything around that (reservation, ledger, nonces, retries) is not its
 * business.
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
  /** The accounts that send settlements; the first is the one that is advertised. */
  facilitators: readonly [Hex, ...Hex[]];
  /** Most that is paid per gas. */
  maxFeeWei?: bigint | undefined;
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

/** An approval that must be in a block before its payment can be settled. */
export type Approval = {
  payer: Hex;
  asset: Hex;
  spender: Hex;
  transaction: { hash: Hex; raw: Hex };
  /** The same as a call, with the gas that the transaction has. */
  call: Call & { from: Hex };
  nonce: bigint;
  gas: bigint;
  /** Wei per gas that the transaction may pay. */
  maxFeeWei: bigint;
  /** What Permit2 must be allowed for the payment, in units. */
  neededUnits: bigint;
};

/** The call that settles a payment. */
export type Authorization = {
  call: Call;
  /**
   * There where the call may be made by another contract, together with others, and runs no code but that of known
   * contracts: two payments of one key cannot be told apart in the logs of one transaction.
   */
  batchKey: string | undefined;
  /** The payer's transaction that must be in a block before the call can succeed. */
  approval?: Approval | undefined;
};

export type Payment = {
  terms: PaymentTerms;
  payload: PaymentPayload;
  /** The one account that may send the settlement, where the payer bound it. */
  sender?: Hex;
  /** The payment that this one gives back. */
  refundOf?: Hex;
  /** What the payer's client calls this payment. */
  identifier?: string | undefined;
  /** Checks all but the simulation and gives the call that settles. Throws PaymentError. */
  authorize(): Promise<Authorization>;
  /** Why the settling call reverts. */
  explain(revert: Revert): Promise<PaymentError>;
  /** Whether the authorization was consumed on the chain. */
  isUsed(): Promise<boolean>;
  /** The transaction that consumed it, whoever sent it. */
  findUse(): Promise<Hex | undefined>;
  /** Whether a transaction of several settlements made this one. */
  isSettledBy(receipt: WireReceipt): boolean;
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
