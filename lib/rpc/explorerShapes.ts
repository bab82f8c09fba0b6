/** Wire format of the rows that `explorer_` lists return. Each row has everything that a list page shows. */
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
  /**
   * How many payments were settled in the block, and how many of its transactions failed. Both are null if the network
   * has no index.
   */
  payments: hexQuantity.nullable(),
  failed: hexQuantity.nullable(),
});
export type BlockSummary = z.infer<typeof blockSummaryShape>;

/** The function that a transaction calls. */
export const methodFields = {
  /** The first four bytes of the input. Null if the input is shorter or if the transaction creates a contract. */
  selector: hexData.nullable(),
  /** The function's name. Null if none of the interfaces that the node knows declares the selector. */
  method: z.string().nullable(),
};

const summaryFields = {
  hash: hexHash,
  from: hexAddress,
  to: hexAddress.nullable(),
  contractAddress: hexAddress.nullable(),
  value: hexQuantity,
  ...methodFields,
  type: hexQuantity,
};

/** The first ERC-20 transfer in a transaction's logs. */
const firstTransferShape = z.strictObject({
  token: hexAddress,
  from: hexAddress,
  to: hexAddress,
  /** The amount is in the token's smallest units. */
  amount: hexQuantity,
  /** How many more ERC-20 transfers the transaction has. */
  others: hexQuantity,
});

export const transactionSummaryShape = z.strictObject({
  ...summaryFields,
  blockNumber: hexQuantity,
  transactionIndex: hexQuantity,
  timestamp: hexQuantity,
  /** Null for transactions from before Byzantium. */
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
  /** Read from the call: the transfer that it makes if the contract is an ERC-20 token. */
  tokenTransfer: firstTransferShape.nullable(),
  poolStatus: z.enum(["pending", "queued"]),
  nonce: hexQuantity,
  /** The sender's max fee per gas, in wei. */
  maxFeePerGas: hexQuantity,
  /** The most that the sender pays to the block's producer per gas, in wei. */
  maxPriorityFeePerGas: hexQuantity,
  /** The first missing nonce. Set only if the transaction is queued. */
  missingNonce: hexQuantity.nullable(),
  /** In milliseconds since the epoch. */
  seenAt: hexQuantity,
});
export type PendingSummary = z.infer<typeof pendingSummaryShape>;

export const paymentState = z.enum(["received", "verified", "settling", "settled", "failed", "expired", "refunded"]);

/** A recorded exchange. The types of its steps are in lib/payflow/flow.ts. */
export const exchangeShape = z.strictObject({
  id: z.string(),
  /** Null if a page recorded the exchange, because nothing verified the recording. */
  payment: hexHash.nullable(),
  createdAt: hexQuantity,
  flow: z.strictObject({
    version: z.literal(1),
    network: z.string(),
    /** CAIP-2 */
    chain: z.string(),
    resource: z.string(),
    lab: z.string().optional(),
    steps: z.array(z.looseObject({ kind: z.string(), atMs: z.number() })),
  }),
});

export type Exchange = z.infer<typeof exchangeShape>;

export const paymentShape = z.strictObject({
  id: hexHash,
  /** CAIP-2 */
  network: z.string(),
  scheme: z.enum(["exact", "upto"]),
  asset: hexAddress,
  payer: hexAddress,
  payee: hexAddress,
  /**
   * In the asset's smallest units. `amount` is what the payer authorized. `settledAmount` is what is charged, and is
   * null until settlement starts.
   */
  amount: hexQuantity,
  settledAmount: hexQuantity.nullable(),
  nonce: hexHash,
  resource: z.string().nullable(),
  /** The resource's description and media type, as the payer sent them. */
  description: z.string().nullable(),
  mimeType: z.string().nullable(),
  state: paymentState,
  reason: z.string().nullable(),
  transaction: hexHash.nullable(),
  /** How many payments the same transaction settles. Null if no transaction was sent. */
  batchSize: hexQuantity.nullable(),
  /** The gas used and its cost in wei. If the transaction settles several payments, these are this payment's share. */
  gasUsed: hexQuantity.nullable(),
  gasCost: hexQuantity.nullable(),
  /** The ID of the payment that this payment refunds. */
  refundOf: hexHash.nullable(),
  refundedAmount: hexQuantity.nullable(),
  refundTransaction: hexHash.nullable(),
  /** The payment's states, in order. Times are in milliseconds since the epoch. */
  steps: z.array(z.strictObject({ state: paymentState, at: hexQuantity })),
  createdAt: hexQuantity,
  changedAt: hexQuantity,
});
export type Payment = z.infer<typeof paymentShape>;

export const paymentTotalShape = z.strictObject({
  /**
   * What the totals are for: a resource's URL, a payee's address, or a state, followed by a space and the state's
   * reason if it has one.
   */
  subject: z.string(),
  /** Null for states, because their totals include all assets. */
  asset: hexAddress.nullable(),
  /**
   * The number of settled payments and their total amount, including payments that were refunded later. For a state,
   * the number and amount of the payments in that state.
   */
  payments: hexQuantity,
  settledAmount: hexQuantity,
  refunds: hexQuantity,
  refundedAmount: hexQuantity,
  /** Wei */
  gasCost: hexQuantity,
});
export type PaymentTotal = z.infer<typeof paymentTotalShape>;

export const earningsShape = z.strictObject({
  /** Sorted by amount after refunds, highest first. */
  items: z.array(
    z.strictObject({
      ...paymentTotalShape.shape,
      /**
       * These fields cover only the latest payments: the number of distinct payers, the numbers of settled and failed
       * payments, and when the last payment arrived.
       */
      payers: hexQuantity,
      settled: hexQuantity,
      failed: hexQuantity,
      /** In milliseconds since the epoch. Null if none of the latest payments belongs to this item. */
      lastAt: hexQuantity.nullable(),
    }),
  ),
  /** The number of distinct payers in the latest settled payments, across all items. */
  payers: hexQuantity,
  /** True if older payments or smaller earnings are not included. */
  cut: z.boolean(),
});
export type Earning = z.infer<typeof earningsShape>["items"][number];

export const paymentSeriesShape = z.strictObject({
  /**
   * The wanted asset or, by default, the asset of most payments. Null if no payment was settled. The spans include only
   * payments in this asset.
   */
  asset: hexAddress.nullable(),
  /** Time spans of equal, round length, such as 5 minutes, oldest first. Times are in milliseconds since the epoch. */
  spans: z.array(
    z.strictObject({ from: hexQuantity, to: hexQuantity, payments: hexQuantity, settledAmount: hexQuantity }),
  ),
  /** Batch sizes in ascending order, with the number of transactions for each size. */
  batches: z.array(z.strictObject({ size: hexQuantity, transactions: hexQuantity })),
  /** True if older payments are not included. */
  cut: z.boolean(),
});
