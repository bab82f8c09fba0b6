/**
 * The right to build the next block if several instances serve one chain: a lease in the database that is extended
 * while it is held. It only saves work; the chain cannot fork because every commit names its head and its lease.
 */
import type { LeaseStore } from "@/server/ports/store";

export type BuildRight = {
  /** Takes the right; false if another instance holds it. Rejects with the store's error. */
  take(): Promise<boolean>;
  /** The lease that a commit must name; undefined if the right is not held or was lost. */
  lease(): { name: string; fence: number } | undefined;
  /** Releases the right. Never rejects. */
  release(): Promise<void>;
};

export const buildLease = "builder";
/** How long to wait for a builder that may have died. */
const buildLeaseMs = 3_000;

/** holder identifies this instance. */
export function createBuildRight(options: {
  store: LeaseStore;
  holder: string;
  lengthMs?: number;
  onError: (error: unknown) => void;
}): BuildRight {
  const { store, holder, lengthMs = buildLeaseMs, onError } = options;
  let fence: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function claim(): Promise<void> {
    fence = await store.claimLease({ name: buildLease, holder, lengthMs });
    clearTimeout(timer);
    if (fence !== undefined) timer = setTimeout(() => void prolong(), lengthMs / 3).unref();
  }

  async function prolong(): Promise<void> {
    if (fence === undefined) return;
    // If this fails, the lease expires by itself, and a commit that names it is refused once another instance has it.
    await claim().catch((error) => {
      onError(error);
      timer = setTimeout(() => void prolong(), lengthMs / 3).unref();
    });
  }

  return {
    async take() {
      if (fence === undefined) await claim();
      return fence !== undefined;
    },
    lease: () => (fence === undefined ? undefined : { name: buildLease, fence }),
    async release() {
      clearTimeout(timer);
      const held = fence;
      fence = undefined;
      if (held === undefined) return;
      try {
        await store.releaseLease({ name: buildLease, holder, fence: held });
      } catch (error) {
        onError(error);
      }
    },
  };
}
