/**
 * Resolves block references on a chain whose head is known. Invariant: a number above the head never resolves, even if
 * the store already has that block.
 */
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { BlockRef, Header } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";

export type BlockRefs = {
  /** The block number of a reference. Throws UnknownBlockError. pending resolves to latest. */
  resolve(ref: BlockRef): Promise<number>;
  /** Throws UnknownBlockError. */
  getHeader(ref: BlockRef): Promise<Header>;
};

export function createBlockRefs(chain: { spec: ChainSpec; store: Store; head: () => Header }): BlockRefs {
  const { spec, store, head } = chain;

  async function resolve(ref: BlockRef): Promise<number> {
    if ("tag" in ref) return resolveTag(ref.tag, head().number, spec);
    if ("number" in ref) {
      if (ref.number > head().number || ref.number < 0) throw new UnknownBlockError(String(ref.number));
      return ref.number;
    }
    // There is one sequencer and one history, so every known block is canonical and requireCanonical always holds.
    const number = await store.findBlockNumber(ref.hash);
    if (number === undefined) throw new UnknownBlockError(ref.hash);
    return number;
  }

  return {
    resolve,
    async getHeader(ref) {
      const number = await resolve(ref);
      const current = head();
      if (number === current.number) return current;
      const header = await store.findHeader(number);
      if (!header) throw new UnknownBlockError(String(number));
      return header;
    },
  };
}

function resolveTag(tag: "latest" | "safe" | "finalized" | "earliest" | "pending", head: number, spec: ChainSpec) {
  switch (tag) {
    case "earliest":
      return 0;
    case "safe":
      return Math.max(0, head - spec.finalityLag.safe);
    case "finalized":
      return Math.max(0, head - spec.finalityLag.finalized);
    default:
      // pending resolves to latest: a block is built as soon as there is something to include.
      return head;
  }
}
