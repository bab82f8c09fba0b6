/**
 * Writes Solidity values into the storage slots of genesis accounts, with the compiler's layout ("Layout of State
 * Variables in Storage and Transient Storage"). Zero slots are not written.
 */
import { concat, keccak256, numberToHex, pad, size, slice, stringToHex, toHex } from "viem";
import type { Address, Hash, Hex } from "@/server/ethereum/types";

export type StorageLayout = Record<string, { slot: number; offset: number; type: string }>;

export type StorageWriter = {
  /**
   * Sets a variable of at most 32 bytes. Variables may share a slot. Throws if the value does not fit the variable's
   * type.
   */
  setValue(variable: string, value: bigint): void;
  setString(variable: string, value: string): void;
  /** Adds the value to an entry of a mapping(address => uint256). */
  addToMapping(variable: string, key: Address, value: bigint): void;
  toStorage(): Record<Hash, Hash>;
};

/** Creates a writer for the storage of one account. Throws if a variable is not in the layout. */
export function createStorageWriter(layout: StorageLayout): StorageWriter {
  const words = new Map<Hash, bigint>();
  const add = (slot: Hash, value: bigint): void => {
    const word = (words.get(slot) ?? 0n) + value;
    if (word >> 256n !== 0n) throw new Error(`The variables of slot ${slot} exceed 32 bytes.`);
    words.set(slot, word);
  };
  const getPlace = (variable: string) => {
    const place = layout[variable];
    if (!place) throw new Error(`The storage layout has no variable ${variable}.`);
    return place;
  };
  return {
    setValue(variable, value) {
      const { slot, offset, type } = getPlace(variable);
      if (value < 0n || value >> (8n * toTypeBytes(type)) !== 0n) throw new Error(`${variable} cannot hold ${value}.`);
      add(toWord(BigInt(slot)), value << BigInt(8 * offset));
    },
    setString(variable, value) {
      const slot = toWord(BigInt(getPlace(variable).slot));
      const bytes = stringToHex(value);
      const length = value === "" ? 0 : size(bytes);
      if (length < 32) {
        // Strings of up to 31 bytes are stored in the slot itself, left aligned, with twice the length in the lowest
        // byte.
        add(slot, length === 0 ? 0n : BigInt(pad(bytes, { dir: "right" })) + BigInt(2 * length));
        return;
      }
      add(slot, BigInt(2 * length + 1));
      const first = BigInt(keccak256(slot));
      for (let start = 0; start < length; start += 32) {
        const chunk = slice(bytes, start, Math.min(start + 32, length));
        add(toWord(first + BigInt(start / 32)), BigInt(pad(chunk, { dir: "right" })));
      }
    },
    addToMapping(variable, key, value) {
      add(toMappingSlot(getPlace(variable).slot, key), value);
    },
    toStorage() {
      return Object.fromEntries(
        [...words].filter(([, word]) => word !== 0n).map(([slot, word]) => [slot, toWord(word)]),
      );
    },
  };
}

/** The slot of an address's entry in a mapping: keccak256(key, slot). */
function toMappingSlot(slot: number, key: Address): Hash {
  return keccak256(concat([pad(key.toLowerCase() as Hex), toHex(slot, { size: 32 })]));
}

function toWord(value: bigint): Hash {
  return numberToHex(value, { size: 32 });
}

/** The compiler names value types "t_address", "t_uint8", "t_uint256". */
function toTypeBytes(type: string): bigint {
  if (type === "t_address") return 20n;
  const bits = /^t_uint(\d+)$/.exec(type)?.[1];
  if (!bits) throw new Error(`${type} is not an address or an unsigned integer.`);
  return BigInt(bits) / 8n;
}
