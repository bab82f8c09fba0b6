/** Defines how each kind of job reads state: from which block, and which keys it always needs. */

import { noKeys } from "@/server/execution/state/keysTogether";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import { type CacheableStore, createWaitingReads, openReads } from "@/server/execution/state/readCache";
import type { Call, CreateAccessList, EstimateGas, Job } from "@/server/ports/executor";
import type { StateKeys, StateReader } from "@/server/ports/store";

/** The job's view of the store. Values that earlier jobs read come from a cache. */
export function openJobReads(job: Job, store: CacheableStore): ExecutionStore {
  return { reads: openReadsOf(job, store), listSlots: store.listSlots, findEditedRoot: store.findEditedRoot };
}

function openReadsOf(job: Job, store: CacheableStore): StateReader {
  switch (job.kind) {
    case "call":
    case "estimateGas":
    case "createAccessList":
      // A synchronous store doesn't fetch keys together.
      return openReads(store, job.stateBlock, job.at, store.stateReader ? noKeys : listExpected(job));
    case "traceCalls":
      return openReads(store, job.stateBlock, job.at);
    case "traceBlock":
      return openReads(store, job.parent, job.at);
    case "simulate":
      return openReads(store, job.parent.number, job.at);
    default:
      return store.stateReader ?? createWaitingReads(store);
  }
}

/**
 * The keys that the job is sure to read: the sender, the recipient, the fee recipient, and the access list's entries.
 */
function listExpected({ call, env }: Call | EstimateGas | CreateAccessList): StateKeys {
  const { from, to, accessList = [] } = call;
  return {
    accounts: [from, ...(to ? [to] : []), env.coinbase, ...accessList.map(({ address }) => address)],
    slots: accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot }))),
  };
}
