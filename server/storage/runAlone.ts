/**
 * Runs work that only one instance per database may do at a time. If that instance dies, other instances wait until its
 * lease expires.
 */

import { randomUUID } from "node:crypto";
import { pause } from "@/lib/pause";
import type { ChangeStore, LeaseStore } from "@/server/ports/store";
import { StoreUnavailableError } from "@/server/storage/errors";

const leaseMs = 5_000;
const retryMs = 50;
const defaultPatienceMs = 15_000;

/**
 * Waits until no other instance runs the work, and then runs it. Throws StoreUnavailableError if the other instances
 * take too long.
 */
export async function runAlone<T>(
  store: ChangeStore & LeaseStore,
  name: string,
  work: () => Promise<T>,
  patienceMs: number = defaultPatienceMs,
): Promise<T> {
  if (!store.isShared) return work();
  const holder = randomUUID();
  const claim = () => store.claimLease({ name, holder, lengthMs: leaseMs });
  const deadlineMs = Date.now() + patienceMs;
  let fence = await claim();
  while (fence === undefined) {
    if (Date.now() > deadlineMs) throw new StoreUnavailableError(`Another instance still holds the lease ${name}.`);
    await pause(retryMs);
    fence = await claim();
  }
  let extending: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    extending ??= claim()
      .catch(() => undefined)
      .finally(() => {
        extending = undefined;
      });
  }, leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // Waits for a lease extension that is still running. If it finished after the release, the lease would stay held
    // until it expires.
    await extending;
    // If the release fails, nothing is lost: the work is done, and the lease expires anyway.
    await store.releaseLease({ name, holder, fence }).catch(() => undefined);
  }
}
