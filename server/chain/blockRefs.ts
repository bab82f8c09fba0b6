/**
 * Resolves block references. A number above the head never resolves, even if the store already contains a block with
 * that number.
 */
import { findHeader, type Head } from "@/server/chain/head";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { BlockRef, Hash, Header } from "@/server/ethereum/types";

/**
 * Resolves a reference to a block number. Throws UnknownBlockError. `pending` resolves to the latest block. Returns a
 * promise only for a hash, because most requests name a tag or a number, and a promise would delay them.
 */
export function resolveBlock(spec: ChainSpec, { store, header }: Head, ref: BlockRef): number | Promise<number> {
  if ("tag" in ref) return resolveTag(ref.tag, header.number, spec);
  if ("hash" in ref) return resolveHash(store, ref.hash);
  if (ref.number > header.number || ref.number < 0) throw new UnknownBlockError(String(ref.number));
  return ref.number;
}

async function resolveHash(store: Head["store"], hash: Hash): Promise<number> {
  // There is only one history, so every known block is canonical and requireCanonical always holds.
  const number = await store.findBlockNumber(hash);
  if (number === undefined) throw new UnknownBlockError(hash);
  return number;
}

/** Throws UnknownBlockError. Returns a promise only if the header isn't in memory. */
export function getHeader(spec: ChainSpec, head: Head, ref: BlockRef): Header | Promise<Header> {
  const number = resolveBlock(spec, head, ref);
  return number === head.header.number ? head.header : readHeader(head, number);
}

async function readHeader(head: Head, resolved: number | Promise<number>): Promise<Header> {
  const number = await resolved;
  const header = await findHeader(head, number);
  if (!header) throw new UnknownBlockError(String(number));
  return header;
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
      // `pending` resolves to the latest block, because a block is built as soon as there is something to include.
      return head;
  }
}
