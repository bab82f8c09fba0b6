/**
 * ChainSpec describes all differences between EVM chains in one plain object. Consensus code checks the spec, never the
 * chain ID.
 */

/** The forks, in the order of their activation. */
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
  /** Forks up to and including the merge start at a block; later forks start at a timestamp. */
  forks: ({ fork: ForkName; block: number } | { fork: ForkName; timestamp: number })[];
  /** Blob parameters, keyed by the fork that defines or changes them. */
  blobSchedule: Partial<Record<ForkName, BlobParameters>>;
  depositContract?: `0x${string}`;
  fees: {
    /** Whether a sender pays for the gas used (Ethereum) or for the gas limit. */
    charge: "used" | "limit";
    /** Minimum base fee, in wei. */
    baseFeeFloorWei: bigint;
    /** EIP-1559 constants. */
    elasticity: bigint;
    changeDenominator: bigint;
  };
  /** The gas cap for transactions (EIP-7825); undefined means no cap. */
  transactionGasCap?: bigint;
  /** The limits of EIP-170 and EIP-3860, in bytes. */
  maxCodeSize: number;
  maxInitCodeSize: number;
  /** Minimum time between two blocks; if undefined, a block is built as soon as a transaction is pending. */
  blockTimeMs?: number;
  /** How many blocks the safe and finalized heads are behind the latest block. */
  finalityLag: { safe: number; finalized: number };
};

/** EIP-1559 with mainnet's constants and no additional minimum for the base fee. */
const ethereumFees: ChainSpec["fees"] = {
  charge: "used",
  baseFeeFloorWei: 0n,
  elasticity: 2n,
  changeDenominator: 8n,
};

/** The values of EIP-4844 and EIP-7691. Osaka repeats EIP-7691's values. */
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

/** How an embedded chain's rules differ from Ethereum's. */
export type SpecChanges = {
  hardfork?: ForkName;
  /** In bytes. */
  codeSizeLimit?: number;
  disableCodeSizeLimit?: boolean;
  disableTxGasLimit?: boolean;
};

/** Our EVM stores sizes as 32-bit numbers. */
const maxSize = 2 ** 32 - 1;

/**
 * The spec of an embedded chain: Ethereum's rules up to Osaka, or up to an earlier fork if one is given. All these
 * forks are active from genesis on.
 */
export function toEmbeddedSpec(chainId: number, changes: SpecChanges = {}): ChainSpec {
  const { hardfork = "osaka", disableCodeSizeLimit, disableTxGasLimit } = changes;
  const maxCodeSize = disableCodeSizeLimit ? maxSize : (changes.codeSizeLimit ?? ethereumLimits.maxCodeSize);
  const { transactionGasCap, ...limits } = ethereumLimits;
  const last = forkNames.indexOf(hardfork);
  return {
    chainId,
    forks: forkNames.slice(0, last + 1).map((fork) => (isTimed(fork) ? { fork, timestamp: 0 } : { fork, block: 0 })),
    blobSchedule: ethereumBlobs,
    fees: ethereumFees,
    ...limits,
    ...(!disableTxGasLimit && { transactionGasCap }),
    maxCodeSize,
    maxInitCodeSize: Math.min(2 * maxCodeSize, maxSize),
  };
}

/**
 * The part of geth's genesis.json that schedules the forks. Blocks and times are numbers; a fork that isn't listed
 * never starts.
 */
export type GethChainConfig = {
  chainId: number;
  depositContractAddress?: string;
  blobSchedule?: Record<string, { target: number; max: number; baseFeeUpdateFraction: number | bigint }>;
  [field: string]: unknown;
};

/**
 * For each fork, the field of geth's genesis.json that schedules it. For the merge, that is the block of the network
 * split.
 */
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

/** Forks after the merge start at a timestamp, so that the consensus and execution layers switch together. */
function isTimed(fork: ForkName): boolean {
  return forkNames.indexOf(fork) > forkNames.indexOf("paris");
}
