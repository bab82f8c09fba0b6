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
  /** Least time between two blocks; undefined builds one as soon as a transaction waits. */
  blockTimeMs?: number;
  /** How many blocks the safe and the finalized head are behind the latest. */
  finalityLag: { safe: number; finalized: number };
};

/** EIP-1559 with its mainnet constants, and no floor of our own. */
const ethereumFees: ChainSpec["fees"] = {
  charge: "used",
  baseFeeFloorWei: 0n,
  elasticity: 2n,
  changeDenominator: 8n,
};

/** EIP-4844, 7691 and the Osaka repeat of it. */
const ethereumBlobs: ChainSpec["blobSchedule"] = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n },
  osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n },
};

const ethereumLimits = {
  transactionGasCap: 16_777_216n,
  maxCodeSize: 24_576,
  maxInitCodeSize: 49_152,
  finalityLag: { safe: 0, finalized: 0 },
};

/** A chain of our own by Ethereum's rules up to Osaka, all of them in force from its genesis. */
export function toEmbeddedSpec(chainId: number): ChainSpec {
  const last = forkNames.indexOf("osaka");
  return {
    chainId,
    forks: forkNames.slice(0, last + 1).map((fork) => (isTimed(fork) ? { fork, timestamp: 0 } : { fork, block: 0 })),
    blobSchedule: ethereumBlobs,
    fees: ethereumFees,
    ...ethereumLimits,
  };
}

/** The parts of geth's genesis.json that say which rules hold when. Blocks and times are numbers, absent is never. */
export type GethChainConfig = {
  chainId: number;
  depositContractAddress?: string;
  blobSchedule?: Record<string, { target: number; max: number; baseFeeUpdateFraction: number | bigint }>;
  [field: string]: unknown;
};

/** Names under which geth's genesis.json schedules a fork. The merge is the block where peers had to split. */
const gethFields: Partial<Record<ForkName, string>> = {
  homestead: "homesteadBlock",
  tangerineWhistle: "eip150Block",
  spuriousDragon: "eip158Block",
  byzantium: "byzantiumBlock",
  constantinople: "constantinopleBlock",
  petersburg: "petersburgBlock",
  istanbul: "istanbulBlock",
  muirGlacier: "muirGlacierBlock",
  berlin: "berlinBlock",
  london: "londonBlock",
  arrowGlacier: "arrowGlacierBlock",
  grayGlacier: "grayGlacierBlock",
  paris: "mergeNetsplitBlock",
};

/** The spec of the chain that geth's genesis configuration describes. */
export function toSpec(config: GethChainConfig): ChainSpec {
  const forks: ChainSpec["forks"] = [{ fork: "frontier", block: 0 }];
  const blobSchedule: ChainSpec["blobSchedule"] = {};
  for (const fork of forkNames) {
    const at = config[gethFields[fork] ?? `${fork}Time`];
    if (typeof at === "number") forks.push(isTimed(fork) ? { fork, timestamp: at } : { fork, block: at });
    const blobs = config.blobSchedule?.[fork];
    if (blobs) blobSchedule[fork] = { ...blobs, baseFeeUpdateFraction: BigInt(blobs.baseFeeUpdateFraction) };
  }
  const depositContract = config.depositContractAddress?.toLowerCase();
  return {
    chainId: config.chainId,
    forks,
    blobSchedule,
    ...(depositContract?.startsWith("0x") ? { depositContract: depositContract as `0x${string}` } : {}),
    fees: ethereumFees,
    ...ethereumLimits,
  };
}

/** Forks after the merge start at a time, so that both layers change together. */
function isTimed(fork: ForkName): boolean {
  return forkNames.indexOf(fork) > forkNames.indexOf("paris");
}
