/**
 * Decides which of several instances may build blocks: the one that holds a lease in the database. The lease only
 * avoids duplicate work. Even without a lease, the chain couldn't fork, because each commit checks the parent.
 */
import type { LeaseStore } from "@/server/ports/store";

export type BuildRight = {
  readonly store: LeaseStore;
  /** Identifies this instance. */
  readonly holder: string;
  readonly lengthMs: number;
  /** Brings this instance up to date with the other instances' blocks and pool changes. */
  readonly refresh: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Identifies the lease in commits. Undefined if this instance does not hold the lease. */
  fence: number | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The lease extension in progress, if any. */
  extending: Promise<void> | undefined;
};

export const buildLease = "builder";
/** How long to wait for a builder that may have died, in milliseconds. */
const buildLeaseMs = 3_000;

export function createBuildRight(
  options: Pick<BuildRight, "store" | "holder" | "refresh" | "onError">,
  lengthMs = buildLeaseMs,
): BuildRight {
  return { ...options, lengthMs, fence: undefined, timer: undefined, extending: undefined };
}

/**
 * Whether this instance may build now. If so, it holds the lease and is up to date with all other instances. Never
 * rejects.
 */
export async function mayBuild(right: BuildRight): Promise<boolean> {
  if (right.fence !== undefined) return true;
  try {
    await claim(right);
    if (right.fence === undefined) return false;
    await right.refresh();
    return true;
  } catch (error) {
    right.onError(error);
    await releaseBuildRight(right);
    return false;
  }
}

/** The lease to include in a commit. Undefined if this instance doesn't hold the lease. */
export function findHeldLease({ fence }: BuildRight): { name: string; fence: number } | undefined {
  return fence === undefined ? undefined : { name: buildLease, fence };
}

/** Releases the lease. Never rejects. */
export async function releaseBuildRight(right: BuildRight): Promise<void> {
  clearTimeout(right.timer);
  // Waits for an extension in progress. If it finished after the release, this instance would keep the lease.
  await right.extending;
  clearTimeout(right.timer);
  const { store, holder, fence } = right;
  right.fence = undefined;
  if (fence === undefined) return;
  try {
    await store.releaseLease({ name: buildLease, holder, fence });
  } catch (error) {
    right.onError(error);
  }
}

async function claim(right: BuildRight): Promise<void> {
  const { store, holder, lengthMs } = right;
  right.fence = await store.claimLease({ name: buildLease, holder, lengthMs });
  clearTimeout(right.timer);
  if (right.fence !== undefined) extendLater(right);
}

function extendLater(right: BuildRight): void {
  right.timer = setTimeout(() => {
    right.extending = extend(right).finally(() => {
      right.extending = undefined;
    });
  }, right.lengthMs / 3).unref();
}

async function extend(right: BuildRight): Promise<void> {
  try {
    await claim(right);
  } catch (error) {
    // Reports the error and tries again later. The lease expires if no extension succeeds.
    right.onError(error);
    extendLater(right);
  }
}
