/** Shapes of JSON-RPC results in wire format. Types are derived from the shapes, and only declared fields are sent. */
import { z } from "zod";
import { hexAddress, hexBloom, hexData, hexHash, hexNonce, hexQuantity } from "@/lib/rpc/codec";

const accessListShape = z.array(z.strictObject({ address: hexAddress, storageKeys: z.array(hexHash) }));

const authorizationShape = z.strictObject({
  chainId: hexQuantity,
  address: hexAddress,
  nonce: hexQuantity,
  yParity: hexQuantity,
  r: hexQuantity,
  s: hexQuantity,
});

/** The block fields are null while the transaction is pending. */
export const transactionShape = z.strictObject({
  blockHash: hexHash.nullable(),
  blockNumber: hexQuantity.nullable(),
  blockTimestamp: hexQuantity.nullable(),
  transactionIndex: hexQuantity.nullable(),
  hash: hexHash,
  type: hexQuantity,
  from: hexAddress,
  to: hexAddress.nullable(),
  nonce: hexQuantity,
  gas: hexQuantity,
  value: hexQuantity,
  input: hexData,
  gasPrice: hexQuantity,
  maxFeePerGas: hexQuantity.optional(),
  maxPriorityFeePerGas: hexQuantity.optional(),
  maxFeePerBlobGas: hexQuantity.optional(),
  blobVersionedHashes: z.array(hexHash).optional(),
  accessList: accessListShape.optional(),
  authorizationList: z.array(authorizationShape).optional(),
  chainId: hexQuantity.optional(),
  v: hexQuantity,
  r: hexQuantity,
  s: hexQuantity,
  yParity: hexQuantity.optional(),
});
export type WireTransaction = z.infer<typeof transactionShape>;

export const logShape = z.strictObject({
  address: hexAddress,
  topics: z.array(hexHash),
  data: hexData,
  blockNumber: hexQuantity,
  blockHash: hexHash,
  blockTimestamp: hexQuantity,
  transactionHash: hexHash,
  transactionIndex: hexQuantity,
  logIndex: hexQuantity,
  removed: z.boolean(),
});
export type WireLog = z.infer<typeof logShape>;

export const receiptShape = z.strictObject({
  blockHash: hexHash,
  blockNumber: hexQuantity,
  transactionHash: hexHash,
  transactionIndex: hexQuantity,
  type: hexQuantity,
  from: hexAddress,
  to: hexAddress.nullable(),
  contractAddress: hexAddress.nullable(),
  cumulativeGasUsed: hexQuantity,
  gasUsed: hexQuantity,
  effectiveGasPrice: hexQuantity,
  logs: z.array(logShape),
  logsBloom: hexBloom,
  /** Present since Byzantium (EIP-658). Earlier receipts have `root` instead. */
  status: hexQuantity.optional(),
  root: hexHash.optional(),
  blobGasUsed: hexQuantity.optional(),
  blobGasPrice: hexQuantity.optional(),
});
export type WireReceipt = z.infer<typeof receiptShape>;

const withdrawalShape = z.strictObject({
  index: hexQuantity,
  validatorIndex: hexQuantity,
  address: hexAddress,
  amount: hexQuantity,
});

const headerFields = {
  hash: hexHash,
  parentHash: hexHash,
  sha3Uncles: hexHash,
  miner: hexAddress,
  stateRoot: hexHash,
  transactionsRoot: hexHash,
  receiptsRoot: hexHash,
  logsBloom: hexBloom,
  difficulty: hexQuantity,
  number: hexQuantity,
  gasLimit: hexQuantity,
  gasUsed: hexQuantity,
  timestamp: hexQuantity,
  extraData: hexData,
  mixHash: hexHash,
  nonce: hexNonce,
  baseFeePerGas: hexQuantity.optional(),
  withdrawalsRoot: hexHash.optional(),
  blobGasUsed: hexQuantity.optional(),
  excessBlobGas: hexQuantity.optional(),
  parentBeaconBlockRoot: hexHash.optional(),
  requestsHash: hexHash.optional(),
};
export const headerShape = z.strictObject(headerFields);
export type WireHeader = z.infer<typeof headerShape>;

/** The transactions are hashes or full objects, depending on the request. */
const blockFields = {
  ...headerFields,
  size: hexQuantity,
  transactions: z.union([z.array(hexHash), z.array(transactionShape)]),
  uncles: z.array(hexHash),
  withdrawals: z.array(withdrawalShape).optional(),
};
export const blockShape = z.strictObject(blockFields);
export type WireBlock = z.infer<typeof blockShape>;

const simulatedCallShape = z.strictObject({
  status: hexQuantity,
  returnData: hexData,
  gasUsed: hexQuantity,
  /** The gas used before refunds. */
  maxUsedGas: hexQuantity,
  logs: z.array(logShape),
  error: z.strictObject({ code: z.number(), message: z.string(), data: hexData.optional() }).optional(),
});

export const simulatedBlockShape = z.strictObject({ ...blockFields, calls: z.array(simulatedCallShape) });

export const feeHistoryShape = z.strictObject({
  oldestBlock: hexQuantity,
  baseFeePerGas: z.array(hexQuantity),
  gasUsedRatio: z.array(z.number()),
  baseFeePerBlobGas: z.array(hexQuantity),
  blobGasUsedRatio: z.array(z.number()),
  /** One row for each block, with one column for each requested percentile. */
  reward: z.array(z.array(hexQuantity)).optional(),
});

export const accessListResultShape = z.strictObject({
  accessList: accessListShape,
  gasUsed: hexQuantity,
  /** Why the call failed, if it did. */
  error: z.string().optional(),
});

/** The call, with missing fields filled in. Fields that are still unset are null. */
export const filledTransactionShape = z.strictObject({
  /** The unsigned payload that a signer would sign. */
  raw: hexData,
  tx: z.strictObject({
    type: hexQuantity,
    from: hexAddress.nullable(),
    to: hexAddress.nullable(),
    gas: hexQuantity,
    gasPrice: hexQuantity.nullable(),
    maxFeePerGas: hexQuantity.nullable(),
    maxPriorityFeePerGas: hexQuantity.nullable(),
    value: hexQuantity,
    input: hexData.nullable(),
    data: hexData.nullable(),
    nonce: hexQuantity,
    chainId: hexQuantity,
    accessList: accessListShape.nullable(),
    authorizationList: z.array(authorizationShape).nullable(),
  }),
});

export const proofShape = z.strictObject({
  address: hexAddress,
  accountProof: z.array(hexData),
  balance: hexQuantity,
  codeHash: hexHash,
  nonce: hexQuantity,
  storageHash: hexHash,
  storageProof: z.array(z.strictObject({ key: z.string(), value: hexQuantity, proof: z.array(hexData) })),
});

const forkConfigShape = z.strictObject({
  /** The fork's activation time in seconds. 0 if the fork is active from genesis. */
  activationTime: z.number(),
  blobSchedule: z.strictObject({ target: z.number(), max: z.number(), baseFeeUpdateFraction: z.number() }).nullable(),
  chainId: hexQuantity,
  forkId: hexData,
  precompiles: z.record(z.string(), hexAddress),
  systemContracts: z.record(z.string(), hexAddress),
});

export const configShape = z.strictObject({
  current: forkConfigShape,
  next: forkConfigShape.nullable(),
  last: forkConfigShape.nullable(),
});
