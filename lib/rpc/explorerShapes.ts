/**
 * Rows of the explorer_ lists as they stand on the wire.
 * Strict, and complete enough that a list page needs no second request per row.
 */
import { z } from "zod";
import { hexAddress, hexData, hexHash, hexQuantity } from "@/lib/rpc/codec";

export const blockSummaryShape = z.strictObject({
  number: hexQuantity,
  hash: hexHash,
  timestamp: hexQuantity,
  miner: hexAddress,
  gasUsed: hexQuantity,
  gasLimit: hexQuantity,
  baseFeePerGas: hexQuantity.nullable(),
  transactionCount: hexQuantity,
  size: hexQuantity,
});
export type BlockSummary = z.infer<typeof blockSummaryShape>;

const summaryFields = {
  hash: hexHash,
  from: hexAddress,
  to: hexAddress.nullable(),
  contractAddress: hexAddress.nullable(),
  value: hexQuantity,
  /** First four bytes of the input; null where it is shorter or a contract is created. */
  selector: hexData.nullable(),
  /** The function's name where an interface that the node knows declares the selector. */
  method: z.string().nullable(),
  type: hexQuantity,
};

/** The first ERC-20 transfer among a transaction's logs. */
const firstTransferShape = z.strictObject({
  token: hexAddress,
  from: hexAddress,
  to: hexAddress,
  /** In the token's smallest units. */
  amount: hexQuantity,
  /** Transfers after it. */
  others: hexQuantity,
});

export const transactionSummaryShape = z.strictObject({
  ...summaryFields,
  blockNumber: hexQuantity,
  transactionIndex: hexQuantity,
  timestamp: hexQuantity,
  /** null before Byzantium */
  status: hexQuantity.nullable(),
  gasUsed: hexQuantity,
  effectiveGasPrice: hexQuantity,
  tokenTransfer: firstTransferShape.nullable(),
});
export type TransactionSummary = z.infer<typeof transactionSummaryShape>;

export const pendingSummaryShape = z.strictObject({
  ...summaryFields,
  blockNumber: z.null(),
  transactionIndex: z.null(),
  timestamp: z.null(),
  status: z.null(),
  gasUsed: z.null(),
  effectiveGasPrice: z.null(),
  tokenTransfer: z.null(),
  poolStatus: z.enum(["pending", "queued"]),
  nonce: hexQuantity,
  /** What the sender offers at most per gas, in wei. */
  maxFeePerGas: hexQuantity,
  /** The first nonce that is missing, where the transaction waits for it. */
  missingNonce: hexQuantity.nullable(),
  /** Milliseconds since the epoch. */
  seenAt: hexQuantity,
});
export type PendingSummary = z.infer<typeof pendingSummaryShape>;

export const paymentState = z.enum(["received", "verified", "settling", "settled", "failed", "expired", "refunded"]);

export const paymentShape = z.strictObject({
  id: hexHash,
  /** CAIP-2 */
  network: z.string(),
  scheme: z.enum(["exact", "upto"]),
  asset: hexAddress,
  payer: hexAddress,
  payee: hexAddress,
  /** Smallest units of the asset: authorised, and settled once it is. */
  amount: hexQuantity,
  settledAmount: hexQuantity.nullable(),
  nonce: hexHash,
  resource: z.string().nullable(),
  state: paymentState,
  reason: z.string().nullable(),
  transaction: hexHash.nullable(),
  /** Payments that its transaction settles; null where it was not sent. */
  batchSize: hexQuantity.nullable(),
  /** What settling it took, a share where the transaction settles several: gas, and wei. */
  gasUsed: hexQuantity.nullable(),
  gasCost: hexQuantity.nullable(),
  /** Id of the payment that this one gives back. */
  refundOf: hexHash.nullable(),
  refundedAmount: hexQuantity.nullable(),
  refundTransaction: hexHash.nullable(),
  /** The states it went through, in order. Milliseconds since the epoch. */
  steps: z.array(z.strictObject({ state: paymentState, at: hexQuantity })),
  createdAt: hexQuantity,
  changedAt: hexQuantity,
});
export type Payment = z.infer<typeof paymentShape>;

export const paymentTotalShape = z.strictObject({
  /** The resource's URL, the payee's address, or the state, with its reason behind a blank. */
  subject: z.string(),
  /** null for states, which span assets. */
  asset: hexAddress.nullable(),
  /** Settled payments and what they moved, refunds included; of a state, the payments that are in it. */
  payments: hexQuantity,
  settledAmount: hexQuantity,
  refunds: hexQuantity,
  refundedAmount: hexQuantity,
  /** Wei */
  gasCost: hexQuantity,
});
export type PaymentTotal = z.infer<typeof paymentTotalShape>;

export const paymentSeriesShape = z.strictObject({
  /** The asset of the newest settled payment, in which amounts are summed; null where there is none. */
  asset: hexAddress.nullable(),
  /** Equal spans of time, oldest first. Milliseconds since the epoch. */
  spans: z.array(
    z.strictObject({ from: hexQuantity, to: hexQuantity, payments: hexQuantity, settledAmount: hexQuantity }),
  ),
  /** How many payments a settlement carried, and in how many transactions; ascending. */
  batches: z.array(z.strictObject({ size: hexQuantity, transactions: hexQuantity })),
  /** Older payments were not looked at. */
  cut: z.boolean(),
});
