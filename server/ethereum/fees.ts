/**
 * Fees: base fee (EIP-1559), blob base fee (EIP-4844, 7691, 7918) and the cost of a transaction. All functions are pure
 * and depend only on headers and the spec; amounts are in wei.
 */
import { maxBigint, minBigint } from "@/server/ethereum/bigints";
import { type ForkPoint, findBlobParameters, isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Header, Transaction } from "@/server/ethereum/types";

/** EIP-4844 GAS_PER_BLOB. */
export const gasPerBlob = 131_072n;
/** EIP-1559 INITIAL_BASE_FEE: 1 gwei, the base fee of the first London block. */
const initialBaseFee = 1_000_000_000n;
/** EIP-4844 MIN_BASE_FEE_PER_BLOB_GAS. */
const minBlobBaseFee = 1n;
/** EIP-7918 BLOB_BASE_COST. */
const blobBaseCost = 8_192n;

const weiPerEther = 10n ** 18n;

/** The rewards for the block's producer and for the producer of each ommer. They are zero from the Paris fork on. */
export function toRewards(
  spec: ChainSpec,
  block: ForkPoint,
  ommers: readonly Pick<Header, "number" | "coinbase">[],
): { producer: bigint; ommers: { coinbase: Address; reward: bigint }[] } {
  if (isForkActive(spec, "paris", block)) return { producer: 0n, ommers: [] };
  const ether = isForkActive(spec, "constantinople", block) ? 2n : isForkActive(spec, "byzantium", block) ? 3n : 5n;
  const reward = ether * weiPerEther;
  return {
    producer: reward + (reward / 32n) * BigInt(ommers.length),
    ommers: ommers.map(({ coinbase, number }) => ({
      coinbase,
      reward: ((8n - BigInt(block.number - number)) * reward) / 8n,
    })),
  };
}

/** The base fee of the block that follows the parent. It is never below the spec's minimum. Undefined before London. */
export function nextBaseFee(spec: ChainSpec, parent: Header, next: ForkPoint): bigint | undefined {
  if (!isForkActive(spec, "london", next)) return undefined;
  if (parent.baseFeePerGas === undefined) return initialBaseFee;
  const { elasticity, changeDenominator, baseFeeFloorWei } = spec.fees;
  const target = parent.gasLimit / elasticity;
  const base = parent.baseFeePerGas;
  let fee = base;
  if (target > 0n && parent.gasUsed > target) {
    const delta = (base * (parent.gasUsed - target)) / target / changeDenominator;
    fee = base + maxBigint(delta, 1n);
  } else if (target > 0n && parent.gasUsed < target) {
    fee = base - (base * (target - parent.gasUsed)) / target / changeDenominator;
  }
  return maxBigint(fee, baseFeeFloorWei);
}

/**
 * The excess blob gas of the block that follows the parent (EIP-4844, with EIP-7918 from Osaka on). Undefined before
 * Cancun.
 */
export function nextExcessBlobGas(spec: ChainSpec, parent: Header, next: ForkPoint): bigint | undefined {
  const parameters = findBlobParameters(spec, next);
  if (!parameters) return undefined;
  const target = BigInt(parameters.target) * gasPerBlob;
  const excess = parent.excessBlobGas ?? 0n;
  const used = parent.blobGasUsed ?? 0n;
  if (excess + used < target) return 0n;
  if (isForkActive(spec, "osaka", next) && parent.baseFeePerGas !== undefined) {
    // EIP-7918: if execution costs more than blobs, the excess rises by a share of the blob gas used, even in blocks
    // below the target. The comparison uses the parent's base fee and excess with the new block's parameters.
    const blobFee = fakeExponential(minBlobBaseFee, excess, parameters.baseFeeUpdateFraction);
    if (blobBaseCost * parent.baseFeePerGas > gasPerBlob * blobFee) {
      const max = BigInt(parameters.max);
      return excess + (used * (max - BigInt(parameters.target))) / max;
    }
  }
  return excess + used - target;
}

/** The price of one unit of blob gas in a block with this excess; undefined before Cancun. */
export function blobBaseFee(spec: ChainSpec, at: ForkPoint, excessBlobGas: bigint | undefined): bigint | undefined {
  const parameters = findBlobParameters(spec, at);
  if (!parameters || excessBlobGas === undefined) return undefined;
  return fakeExponential(minBlobBaseFee, excessBlobGas, parameters.baseFeeUpdateFraction);
}

/** The smallest excess blob gas that gives at least this blob base fee. */
export function toExcessBlobGas(spec: ChainSpec, at: ForkPoint, feeWei: bigint): bigint {
  let high = 1n;
  while ((blobBaseFee(spec, at, high) ?? feeWei) < feeWei) high *= 2n;
  let low = 0n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((blobBaseFee(spec, at, middle) ?? feeWei) < feeWei) low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** The maximum blob gas of a block; undefined before Cancun. */
export function maxBlobGas(spec: ChainSpec, at: ForkPoint): bigint | undefined {
  const parameters = findBlobParameters(spec, at);
  return parameters && BigInt(parameters.max) * gasPerBlob;
}

/** Uses the Taylor series to approximate factor * e^(numerator / denominator), as EIP-4844 defines it. */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    output += term;
    term = (term * numerator) / (denominator * i);
  }
  return output / denominator;
}

/** The maximum total price per gas that the sender pays. */
export function feeCap(transaction: Transaction): bigint {
  return transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n;
}

/** The maximum price per gas that the sender pays to the block's producer. */
export function tipCap(transaction: Transaction): bigint {
  return transaction.maxPriorityFeePerGas ?? transaction.gasPrice ?? 0n;
}

/** What the producer earns per gas at this base fee; negative if the transaction can't pay the base fee. */
export function effectiveTip(transaction: Transaction, baseFeePerGas: bigint): bigint {
  return minBigint(feeCap(transaction) - baseFeePerGas, tipCap(transaction));
}

export function blobGas(transaction: Transaction): bigint {
  return BigInt(transaction.blobVersionedHashes?.length ?? 0) * gasPerBlob;
}

/** The most that the transaction can cost its sender, including the value sent. */
export function maxCost(transaction: Transaction): bigint {
  return (
    transaction.gasLimit * feeCap(transaction) +
    transaction.value +
    blobGas(transaction) * (transaction.maxFeePerBlobGas ?? 0n)
  );
}
