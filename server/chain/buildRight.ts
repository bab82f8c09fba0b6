/**
 * The right to build the next block, where several instances serve one chain: a lease in the database that is prolonged
 * while it is held. It saves work; what keeps a chain from forking is that a commit names the head and the lease.
 */
import type { LeaseStore } from "@/server/ports/store";

export type BuildRight = {
  /** Takes the right or says who is in the way by false. Rejects with the store's error. */
  take(): Promise<boolean>;
  /** What a commit has to name; undefined where the right is not held, or was lost. */
  lease(): { name: string; fence: number } | undefined;
  /** Gives it to whoever wants it. Never rejects. */
  release(): Promise<void>;
};

export const buildLease = "builder";
/** How long a builder that died is waited for. */
const buildLeaseMs = 3_000;

/** holder: this instance and no other. */
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
    // Where it fails the lease ends by itself, and the commit that names it is refused once another has it.
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
