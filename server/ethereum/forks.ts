/**
 * Determines which rules apply to a block. Forks are cumulative: if a fork is active, so is every earlier fork, whether
 * or not the spec lists it.
 */
import { type BlobParameters, type ChainSpec, type ForkName, forkNames } from "@/server/ethereum/spec";

/** A block's position in the fork schedule. The timestamp is in seconds. */
export type ForkPoint = { number: number; timestamp: number };

/** Caches the latest result, because executing a single transaction looks up the fork a dozen times. */
let latest: { spec: ChainSpec; number: number; timestamp: number; fork: ForkName } | undefined;

/** The newest fork that is active at this point. */
export function activeFork(spec: ChainSpec, { number, timestamp }: ForkPoint): ForkName {
  if (latest?.spec !== spec || latest.number !== number || latest.timestamp !== timestamp) {
    latest = { spec, number, timestamp, fork: findFork(spec, { number, timestamp }) };
  }
  return latest.fork;
}

function findFork(spec: ChainSpec, at: ForkPoint): ForkName {
  let newest = 0;
  for (const entry of spec.forks) {
    const reached = "block" in entry ? at.number >= entry.block : at.timestamp >= entry.timestamp;
    if (reached) newest = Math.max(newest, forkNames.indexOf(entry.fork));
  }
  return forkNames[newest]!;
}

export function isForkActive(spec: ChainSpec, fork: ForkName, at: ForkPoint): boolean {
  return forkNames.indexOf(activeFork(spec, at)) >= forkNames.indexOf(fork);
}

/**
 * The blob parameters in force (EIP-7840): those of the newest active fork that defines blob parameters. Undefined
 * before Cancun.
 */
export function findBlobParameters(spec: ChainSpec, at: ForkPoint): BlobParameters | undefined {
  const active = forkNames.indexOf(activeFork(spec, at));
  for (let index = active; index >= forkNames.indexOf("cancun"); index--) {
    const parameters = spec.blobSchedule[forkNames[index]!];
    if (parameters) return parameters;
  }
  return undefined;
}
