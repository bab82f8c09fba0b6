/**
 * Allocates a sending account's nonces. The counter is in this process, or in the database if several instances send
 * with one key. Two transactions never share a nonce, and no gap is left behind.
 */
import type { Hex } from "@/lib/x402/types";
import type { Allotment, AllotmentStore } from "@/server/ports/store";
import { LostAllotmentError } from "@/server/storage/errors";

/** A nonce. `allotment` tells the database which instance owns it. */
export type Taken = { nonce: number; allotment?: Allotment };

export type Nonces = {
  /** Acquires the next nonce. Call it again only after the previous nonce was kept or given back. */
  take(): Promise<Taken>;
  /**
   * Keeps the nonce for a signed transaction. Called before the transaction is sent. Throws LostAllotmentError if the
   * nonce belongs to another instance by then.
   */
  keep(taken: Taken, signed: { hash: Hex; raw: Hex }): Promise<void>;
  /** Gives back a nonce that no recorded transaction uses. */
  abandon(taken: Taken): Promise<void>;
  end(taken: Taken, isMined: boolean): void;
  /**
   * Gives back a nonce whose transaction will never be included. If later nonces are waiting for it, resolves to a
   * nonce that the caller must use to fill the gap.
   */
  giveBack(taken: Taken): Promise<Taken | undefined>;
  /**
   * Finds what blocks a nonce. `raws` are signed transactions with lower nonces, to be resent. `free` is a lower nonce
   * that another instance left unused. `gap` is a lower nonce that was already mined, but that the network expects
   * again.
   */
  findMissing(nonce: number): Promise<{ raws: Hex[]; free: Taken | undefined; gap?: number | undefined }>;
  /**
   * Forgets the nonces in flight. Called after the network was rewound, because the transactions with these nonces
   * can't be included anymore.
   */
  startOver(): void;
};

type CountTransactions = (block: "latest" | "pending") => Promise<number>;

/** How long a nonce is reserved for signing, which takes milliseconds. */
const signMs = 5_000;

/** Allocates nonces for an account that only this process sends from. */
export function createOwnNonces(count: CountTransactions): Nonces {
  const inFlight = new Set<number>();
  let next = 0;
  /** One more than the highest nonce that is known to be mined. */
  let unmined = 0;
  return {
    /** While transactions are in flight, the network's transaction count may lag, so this process keeps its own. */
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
    end({ nonce }, isMined) {
      inFlight.delete(nonce);
      if (isMined) unmined = Math.max(unmined, nonce + 1);
    },
    async giveBack({ nonce }) {
      if (inFlight.has(nonce)) return undefined;
      if (next > nonce + 1) return { nonce };
      next = nonce;
      return undefined;
    },
    async findMissing(nonce) {
      const counted = await count("pending");
      const isGap = counted < Math.min(nonce, unmined) && !inFlight.has(counted);
      return { raws: [], free: undefined, gap: isGap ? counted : undefined };
    },
    startOver: () => inFlight.clear(),
  };
}

/** Allocates nonces for an account that several instances send from. `holder` identifies this instance. */
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
    startOver() {},
  };
}
