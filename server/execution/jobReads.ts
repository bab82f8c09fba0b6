/**
 * How each kind of job reads the state: which block's it stands on, and which keys it asks for in any case.
 */

import type { ExecutionStore } from "@/server/execution/state/overlay";
import { type CacheableStore, createWaitingReads, openReads } from "@/server/execution/state/readCache";
import type { Call, CreateAccessList, EstimateGas, Job } from "@/server/ports/executor";
import type { StateKeys, StateReader } from "@/server/ports/store";

/** The store as the job reads it; what a job on the same state read before is answered without it. */
export function openJobReads(job: Job, store: CacheableStore): ExecutionStore {
  return { reads: openReadsOf(job, store), listSlots: store.listSlots, findEditedRoot: store.findEditedRoot };
}

function openReadsOf(job: Job, store: CacheableStore): StateReader {
  switch (job.kind) {
    case "call":
    case "estimateGas":
    case "createAccessList":
      return openReads(store, job.stateBlock, job.at, listExpected(job));
    case "traceBlock":
      return openReads(store, job.parent, job.at);
    case "simulate":
      return openReads(store, job.parent.number, job.at);
    default:
      return store.stateReader ?? createWaitingReads(store);
  }
}

/** Both parties, who gets the fees, and what the access list names. */
function listExpected({ call, env }: Call | EstimateGas | CreateAccessList): StateKeys {
  const { from, to, accessList = [] } = call;
  return {
    accounts: [from, ...(to ? [to] : []), env.coinbase, ...accessList.map(({ address }) => address)],
    slots: accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot }))),
  };
}
