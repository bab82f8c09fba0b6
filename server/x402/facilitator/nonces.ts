/**
 * Where the nonces of a sending account come from: a count of this process, or the database where several instances
 * send with one key. Either way no two transactions that may be sent have one nonce, and none stays missing.
 */
import type { Hex } from "@/lib/x402/types";
import type { Allotment, AllotmentStore } from "@/server/ports/store";
import { LostAllotmentError } from "@/server/storage/errors";

/** A nonce, and by what the database knows whose it is. */
export type Taken = { nonce: number; allotment?: Allotment };

export type Nonces = {
  /** The next one. Callers take turns until they have kept it or given it back. */
  take(): Promise<Taken>;
  /** Notes the signed transaction before it leaves. Throws LostAllotmentError where the nonce is another's by now. */
  keep(taken: Taken, signed: { hash: Hex; raw: Hex }): Promise<void>;
  /** It was taken in vain: nothing was kept with it. */
  abandon(taken: Taken): Promise<void>;
  /** Its transaction is not on its way any more. */
  end(taken: Taken): void;
  /**
   * Nothing will ever be included with it. Answers a nonce that later ones wait for, where there is one: whoever gave
   * back has to use it up.
   */
  giveBack(taken: Taken): Promise<Taken | undefined>;
  /** What a nonce may wait for that others left behind: transactions that were signed, and a nonce to use up. */
  findMissing(nonce: number): Promise<{ raws: Hex[]; free: Taken | undefined }>;
};

type CountTransactions = (block: "latest" | "pending") => Promise<number>;

/** How long a nonce is reserved for its signature, which takes milliseconds. */
const signMs = 5_000;

/** Nonces of an account that only this process sends from. */
export function createOwnNonces(count: CountTransactions): Nonces {
  const inFlight = new Set<number>();
  let next = 0;
  return {
    /** While transactions are on their way our own count is ahead of the network's; when none is, the network knows best. */
    async take() {
      const counted = await count("pending");
      return { nonce: inFlight.size === 0 ? counted : Math.max(counted, next) };
    },
    async keep({ nonce }) {
      next = Math.max(next, nonce + 1);
      if (inFlight.size === 0) next = nonce + 1;
      inFlight.add(nonce);
    },
    async abandon() {},
    end({ nonce }) {
      inFlight.delete(nonce);
    },
    async giveBack({ nonce }) {
      if (inFlight.has(nonce)) return undefined;
      if (next > nonce + 1) return { nonce };
      next = nonce;
      return undefined;
    },
    async findMissing() {
      return { raws: [], free: undefined };
    },
  };
}

/** Nonces of an account that several instances send from; holder names this one. */
export function createSharedNonces(options: {
  store: AllotmentStore;
  account: Hex;
  holder: string;
  count: CountTransactions;
}): Nonces {
  const { store, account, holder, count } = options;
  const toTaken = (nonce: number): Taken => ({ nonce, allotment: { account, nonce, holder } });
  const takeAbandoned = async (below: number) => {
    const nonce = await store.allotAbandoned({ account, below, holder, lengthMs: signMs });
    return nonce === undefined ? undefined : toTaken(nonce);
  };
  return {
    async take() {
      const [mined, pending] = await Promise.all([count("latest"), count("pending")]);
      return toTaken(await store.allotNonce({ account, mined, pending, holder, lengthMs: signMs }));
    },
    async keep({ nonce }, { hash, raw }) {
      if (await store.signAllotment({ account, nonce, holder }, { transaction: hash, raw })) return;
      throw new LostAllotmentError(`Nonce ${nonce} of ${account} was given to another instance.`);
    },
    async abandon({ nonce }) {
      await store.returnAllotment({ account, nonce, holder });
    },
    end() {},
    async giveBack({ nonce }) {
      if (!(await store.returnAllotment({ account, nonce, holder }))) return undefined;
      const later = (await store.listSigned(account)).filter((signed) => signed.nonce > nonce);
      return later.length > 0 ? takeAbandoned(nonce + 1) : undefined;
    },
    async findMissing(nonce) {
      const mined = await count("latest");
      const signed = (await store.listSigned(account, nonce)).filter((each) => each.nonce >= mined);
      return { raws: signed.map(({ raw }) => raw), free: await takeAbandoned(nonce) };
    },
  };
}
