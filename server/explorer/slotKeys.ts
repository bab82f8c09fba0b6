/**
 * Finds the mapping keys of storage slots: runs the blocks that last wrote the slots again and looks for the hashes that
 * lead to them. Rules: Solidity, "Layout of State Variables in Storage". Vyper hashes a mapping's slot before the key.
 */
import type { SlotKeysRow } from "@/lib/rpc/explorerAddressShapes";
import { traceBlockAt } from "@/server/chain/traces";
import { toBytes, toWord } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";

export type SlotKeys = Omit<SlotKeysRow, "offset"> & { offset: number };

/** Preimages by their hashes. */
export type Preimages = ReadonlyMap<Hash, Hex>;

/** Contracts declare their variables early, so a larger number isn't the slot of a variable. */
const deepestBase = 1n << 16n;
/** The compiler hashes the slots of arrays in advance. These are the ones to try. */
const deepestArray = 64n;
/** Only long data reaches this far, and a hash is never this near to another one by chance. */
const farthest = 1n << 32n;

/** Slots that no mapping or array leads to are omitted. So are those that would take more gas than a call may use. */
export async function findSlotKeys(
  chain: CallSource,
  address: Address,
  slots: readonly Hash[],
  block: number,
): Promise<SlotKeys[]> {
  const writes = await Promise.all(slots.map((slot) => chain.store.findSlotBlock(address, slot, block)));
  const preimages = new Map(constantPreimages);
  let gasLeft = chain.callGas;
  for (const number of new Set(writes)) {
    const header = number === undefined ? undefined : await chain.store.findHeader(number);
    if (!header || header.number === 0 || header.gasUsed > gasLeft) continue;
    gasLeft -= header.gasUsed;
    for (const { trace } of await traceBlockAt(chain, { number: header.number }, { tracer: "preimages" })) {
      for (const preimage of JSON.parse(trace.json) as Hex[]) preimages.set(keccakHex(toBytes(preimage)), preimage);
    }
  }
  const origins = [...preimages.keys()].toSorted();
  return slots.flatMap((slot) => toSlotKeys(slot, preimages, origins) ?? []);
}

const constantPreimages: Preimages = new Map(
  Array.from({ length: Number(deepestArray) }, (_, slot): [Hash, Hex] => {
    const word = toWord(BigInt(slot));
    return [keccakHex(toBytes(word)), word];
  }),
);

/**
 * The path to a slot, if the hash that it starts from is known. `origins` are the hashes in ascending order. If the
 * mapping's slot and the key are both small numbers, takes the order of Solidity.
 */
export function toSlotKeys(slot: Hash, preimages: Preimages, origins: readonly Hash[]): SlotKeys | undefined {
  const origin = origins.findLast((hash) => hash <= slot);
  const offset = origin === undefined ? farthest : BigInt(slot) - BigInt(origin);
  if (origin === undefined || offset >= farthest) return undefined;
  let word = origin;
  let isElement = false;
  const keys: Hex[] = [];
  for (let preimage = preimages.get(word); preimage !== undefined; preimage = preimages.get(word)) {
    if (preimage.length === wordLength) {
      // An array in an array has two indexes, which can't be told apart.
      if (isElement || keys.length > 0) return undefined;
      isElement = true;
      word = preimage;
      continue;
    }
    const first: Hex = `0x${preimage.slice(2, -64)}`;
    const last: Hash = `0x${preimage.slice(-64)}`;
    const isBase = (hex: Hex) => hex.length === wordLength && (preimages.has(hex) || BigInt(hex) < deepestBase);
    const isKeyLast = isBase(first) && !isBase(last);
    keys.unshift(isKeyLast ? last : first);
    word = isKeyLast ? first : last;
  }
  return keys.length > 0 || isElement ? { slot, base: word, keys, isElement, offset: Number(offset) } : undefined;
}

const wordLength = 66;
