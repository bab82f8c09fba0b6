/**
 * ChainSpec: everything in which one EVM chain differs from another, as one plain object that survives structured
 * clone. Consensus code asks the spec, never the chain id.
 */

/** In activation order. */
export const forkNames = [
  "frontier",
  "homestead",
  "tangerineWhistle",
  "spuriousDragon",
  "byzantium",
  "constantinople",
  "petersburg",
  "istanbul",
  "muirGlacier",
  "berlin",
  "london",
  "arrowGlacier",
  "grayGlacier",
  "paris",
  "shanghai",
  "cancun",
  "prague",
  "osaka",
  "bpo1",
  "bpo2",
  "bpo3",
  "bpo4",
  "bpo5",
] as const;
export type ForkName = (typeof forkNames)[number];

/** EIP-7840 */
export type BlobParameters = { target: number; max: number; baseFeeUpdateFraction: bigint };

export type ChainSpec = {
  chainId: number;
  /** Up to the merge a fork starts at a block, after it at a timestamp; the merge at a block. */
  forks: ({ fork: ForkName; block: number } | { fork: ForkName; timestamp: number })[];
  /** Per fork that defines or changes them. */
  blobSchedule: Partial<Record<ForkName, BlobParameters>>;
  depositContract?: `0x${string}`;
  fees: {
    /** What a sender pays for: gas used (Ethereum) or the gas limit. */
    charge: "used" | "limit";
    /** Base fee never falls below this, in wei. */
    baseFeeFloorWei: bigint;
    /** EIP-1559 constants. */
    elasticity: bigint;
    changeDenominator: bigint;
  };
  /** EIP-7825; undefined is no cap. */
  transactionGasCap?: bigint;
  /** EIP-170 and EIP-3860, bytes. */
  maxCodeSize: number;
  maxInitCodeSize: number;
  /** How many blocks the safe and the finalized head are behind the latest. */
  finalityLag: { safe: number; finalized: number };
};
