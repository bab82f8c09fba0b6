/**
 * Checks whether a transaction may enter the pool: first against the next block, then against the sender's account.
 * Rejections use the standard reasons.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { blobGas, feeCap, gasPerBlob, maxBlobGas, maxCost, tipCap } from "@/server/ethereum/fees";
import { isForkActive } from "@/server/ethereum/forks";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import type { Transaction } from "@/server/ethereum/types";

/** Maximum sizes of encoded transactions in bytes. A blob transaction's size includes its blobs. */
const maxTransactionBytes = 128 * 1024;
const maxBlobTransactionBytes = 1024 * 1024;
/** EIP-2681: an account's nonce never reaches 2^64 - 1. */
const nonceLimit = 2n ** 64n - 1n;
/** EIP-7594 limits the number of blobs per transaction, so that proofs stay small. */
const maxBlobsPerTransaction = 6;
/** The fork that introduced each transaction type (EIP-2930, 1559, 4844, 7702). */
const typeForks: Record<number, ForkName> = { 1: "berlin", 2: "london", 3: "cancun", 4: "prague" };

/** The facts about the next block, which is the first block that could include the transaction. */
export type NextBlockFacts = {
  number: number;
  timestamp: number;
  gasLimit: bigint;
  baseFeePerGas?: bigint | undefined;
  blobBaseFee?: bigint | undefined;
};

/** The sender's account at the head. */
export type SenderAccount = {
  nonce: bigint;
  balance: bigint;
  /** Whether the account has code other than an EIP-7702 delegation. */
  isContract: boolean;
};

export type SenderFacts = SenderAccount & {
  /** The maximum cost of the sender's other transactions in the pool. */
  reservedWei: bigint;
};

/** Rejects bytes that are too long to decode. */
export function assertTransactionSize(raw: Uint8Array): void {
  const limit = raw[0] === 3 ? maxBlobTransactionBytes : maxTransactionBytes;
  if (raw.length > limit) throw new TransactionRefusedError("oversized data", `${raw.length} bytes, limit ${limit}`);
}

/** Runs the checks that do not need the sender's account. */
export function assertWellFormed(transaction: Transaction, spec: ChainSpec, next: NextBlockFacts): void {
  assertEnvelope(transaction, spec, next);
  assertGas(transaction, spec, next);
  assertFees(transaction, next);
  if (transaction.type === 3) assertBlobs(transaction, spec, next);
  if (transaction.type === 4) assertSetCode(transaction);
}

function assertEnvelope(transaction: Transaction, spec: ChainSpec, next: NextBlockFacts): void {
  const fork = typeForks[transaction.type];
  if (fork && !isForkActive(spec, fork, next)) {
    throw new TransactionRefusedError("transaction type not supported", `type ${transaction.type} requires ${fork}`);
  }
  if (transaction.chainId === undefined) {
    throw new TransactionRefusedError("only replay-protected (EIP-155) transactions allowed over RPC");
  }
  if (transaction.chainId !== BigInt(spec.chainId)) {
    throw new TransactionRefusedError(
      "invalid chain id for signer",
      `have ${transaction.chainId}, want ${spec.chainId}`,
    );
  }
  if (transaction.nonce >= nonceLimit) {
    throw new TransactionRefusedError(
      "nonce has max value",
      `nonce ${transaction.nonce} is not below the limit of 2^64 - 1`,
    );
  }
  const initCodeBytes = transaction.to === undefined ? (transaction.input.length - 2) / 2 : 0;
  if (isForkActive(spec, "shanghai", next) && initCodeBytes > spec.maxInitCodeSize) {
    throw new TransactionRefusedError(
      "max initcode size exceeded",
      `code size ${initCodeBytes}, limit ${spec.maxInitCodeSize}`,
    );
  }
}

function assertGas(transaction: Transaction, spec: ChainSpec, next: NextBlockFacts): void {
  const { gasLimit } = transaction;
  if (gasLimit > next.gasLimit) {
    throw new TransactionRefusedError("exceeds block gas limit", `have ${gasLimit}, limit ${next.gasLimit}`);
  }
  if (spec.transactionGasCap !== undefined && gasLimit > spec.transactionGasCap) {
    throw new TransactionRefusedError(
      "transaction gas limit too high",
      `have ${gasLimit}, cap ${spec.transactionGasCap}`,
    );
  }
  const { intrinsic, floor } = intrinsicGas(spec, next, transaction);
  // Like geth and Hardhat's node, names the intrinsic gas first, even if EIP-7623's minimum is higher.
  const needed = gasLimit < intrinsic ? intrinsic : floor;
  if (gasLimit < needed) {
    throw new TransactionRefusedError("intrinsic gas too low", `have ${gasLimit}, want ${needed}`);
  }
}

function assertFees(transaction: Transaction, next: NextBlockFacts): void {
  const cap = feeCap(transaction);
  const tip = tipCap(transaction);
  if (tip > cap) {
    throw new TransactionRefusedError(
      "max priority fee per gas higher than max fee per gas",
      `maxPriorityFeePerGas ${tip}, maxFeePerGas ${cap}`,
    );
  }
  if (next.baseFeePerGas !== undefined && cap < next.baseFeePerGas) {
    throw new TransactionRefusedError(
      "max fee per gas less than block base fee",
      `maxFeePerGas ${cap}, baseFee ${next.baseFeePerGas}`,
    );
  }
}

function assertBlobs(transaction: Transaction, spec: ChainSpec, next: NextBlockFacts): void {
  const hashes = transaction.blobVersionedHashes ?? [];
  const refuse = (detail: string) => new TransactionRefusedError("blob transaction is invalid", detail);
  if (transaction.to === undefined) throw refuse("it cannot create a contract");
  if (hashes.length === 0) throw refuse("it has no blobs");
  const blockMax = Number((maxBlobGas(spec, next) ?? 0n) / gasPerBlob);
  const max = isForkActive(spec, "osaka", next) ? Math.min(maxBlobsPerTransaction, blockMax) : blockMax;
  if (hashes.length > max) throw refuse(`it has ${hashes.length} blobs, limit ${max}`);
  if (hashes.some((hash) => !hash.startsWith("0x01"))) throw refuse("a blob hash has an unknown version");
  const fee = transaction.maxFeePerBlobGas ?? 0n;
  if (next.blobBaseFee !== undefined && fee < next.blobBaseFee) {
    throw new TransactionRefusedError(
      "max fee per blob gas less than block blob gas fee",
      `maxFeePerBlobGas ${fee}, blobGasFee ${next.blobBaseFee}`,
    );
  }
}

function assertSetCode(transaction: Transaction): void {
  const refuse = (detail: string) => new TransactionRefusedError("set code transaction is invalid", detail);
  if (transaction.to === undefined) throw refuse("it cannot create a contract");
  if (!transaction.authorizationList?.length) throw refuse("its authorization list is empty");
}

/** Checks a transaction against the sender's account at the head. */
export function assertSender(transaction: Transaction, sender: SenderFacts): void {
  if (transaction.nonce < sender.nonce) {
    throw new TransactionRefusedError(
      "nonce too low",
      `next nonce ${sender.nonce}, transaction nonce ${transaction.nonce}`,
    );
  }
  // EIP-3607
  if (sender.isContract) throw new TransactionRefusedError("sender not an eoa", transaction.from);
  const cost = maxCost(transaction);
  if (sender.balance < cost + sender.reservedWei) {
    const queued = sender.reservedWei > 0n ? `, other transactions in the pool ${sender.reservedWei}` : "";
    throw new TransactionRefusedError(
      "insufficient funds for gas * price + value",
      `balance ${sender.balance}, transaction cost ${cost}${queued}`,
    );
  }
}

/** The minimum fee of a replacement: `percent`% of the old fee, rounded up. */
export const toRaisedFee = (before: bigint, percent = 110n): bigint => (before * percent + 99n) / 100n;

/** Checks that a replacement's fees are sufficiently higher than those of the transaction that it replaces. */
export function assertReplacement(old: Transaction, replacement: Transaction): void {
  const isBlob = old.type === 3 || replacement.type === 3;
  // Fees must rise by 10%, or by 100% if blobs have to be propagated again.
  const percent = isBlob ? 200n : 110n;
  const fees: [string, bigint, bigint][] = [
    ["maxFeePerGas", feeCap(old), feeCap(replacement)],
    ["maxPriorityFeePerGas", tipCap(old), tipCap(replacement)],
  ];
  if (isBlob) fees.push(["maxFeePerBlobGas", old.maxFeePerBlobGas ?? 0n, replacement.maxFeePerBlobGas ?? 0n]);
  for (const [name, before, now] of fees) {
    // 10% of zero is zero, but the cap must rise by at least one wei.
    const needed =
      name === "maxFeePerGas" ? maxBigint(toRaisedFee(before, percent), before + 1n) : toRaisedFee(before, percent);
    if (now < needed) {
      throw new TransactionRefusedError(
        "replacement transaction underpriced",
        `${name} ${now}, need at least ${needed} to replace ${old.hash}`,
      );
    }
  }
  if (isBlob && blobGas(old) > 0n && blobGas(replacement) === 0n) {
    throw new TransactionRefusedError(
      "replacement transaction underpriced",
      `${old.hash} has blobs, so its replacement must have blobs`,
    );
  }
}
