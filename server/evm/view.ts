/**
 * The host's view of linear memory, for reading and writing. When memory grows, its buffer is replaced, so call
 * refresh() after every call into the machine.
 */

import type { Account, Address, Hash, Hex } from "@/server/ethereum/types";
import { account, scratch } from "@/server/evm/layout";

export type View = {
  /** Call this whenever memory may have grown. */
  refresh(): void;
  bytes(): Uint8Array;
  number(at: number): number;
  setNumber(at: number, value: number): void;
  /** A 64-bit two's complement integer. */
  long(at: number): bigint;
  setLong(at: number, value: bigint): void;
  /** A machine word: four limbs, least significant first. */
  word(at: number): bigint;
  setWord(at: number, value: bigint): void;
  /** Whether the 32 bytes at the two offsets are equal. Both offsets must be multiples of eight. */
  isSame(a: number, b: number): boolean;
  hex(at: number, length: number): Hex;
  /** Writes the bytes that the 0x hex encodes. */
  setHex(at: number, value: Hex): void;
  /** Writes an address or slot as 32 big-endian bytes to the scratch area. */
  setKey(value: Address | Hash): void;
  copy(at: number, length: number): Uint8Array;
  addressOf(record: number): Address;
  accountOf(record: number): Account;
};

const mask = (1n << 64n) - 1n;

export function createView(memory: WebAssembly.Memory): View {
  let buffer = Buffer.from(memory.buffer);
  let u32 = new Uint32Array(memory.buffer);
  let u64 = new BigUint64Array(memory.buffer);

  const hex = (at: number, length: number): Hex => `0x${buffer.toString("hex", at, at + length)}`;

  function word(at: number): bigint {
    const place = at >> 3;
    const upper = u64[place + 1]! | u64[place + 2]! | u64[place + 3]!;
    if (upper === 0n) return u64[place]!;
    return u64[place]! | (u64[place + 1]! << 64n) | (u64[place + 2]! << 128n) | (u64[place + 3]! << 192n);
  }

  function setHex(at: number, value: Hex): void {
    buffer.write(value.slice(2), at, "hex");
  }

  return {
    refresh() {
      if (buffer.buffer === memory.buffer) return;
      buffer = Buffer.from(memory.buffer);
      u32 = new Uint32Array(memory.buffer);
      u64 = new BigUint64Array(memory.buffer);
    },
    bytes: () => buffer,
    number: (at) => u32[at >> 2]!,
    setNumber(at, value) {
      u32[at >> 2] = value;
    },
    long: (at) => BigInt.asIntN(64, u64[at >> 3]!),
    setLong(at, value) {
      u64[at >> 3] = value;
    },
    word,
    setWord(at, value) {
      const place = at >> 3;
      u64[place] = value & mask;
      const upper = value >> 64n;
      u64[place + 1] = upper & mask;
      u64[place + 2] = upper === 0n ? 0n : (upper >> 64n) & mask;
      u64[place + 3] = upper === 0n ? 0n : upper >> 128n;
    },
    isSame(a, b) {
      for (let i = 0; i < 8; i++) if (u32[(a >> 2) + i] !== u32[(b >> 2) + i]) return false;
      return true;
    },
    hex,
    setHex,
    setKey(value) {
      if (value.length === 42) {
        buffer.fill(0, scratch, scratch + 12);
        setHex(scratch + 12, value);
      } else setHex(scratch, value);
    },
    copy: (at, length) => new Uint8Array(buffer.subarray(at, at + length)),
    addressOf: (record) => hex(record + account.address, 20),
    accountOf: (record) => ({
      nonce: u64[(record + account.nonce) >> 3]!,
      balance: word(record + account.balance),
      codeHash: hex(record + account.codeHash, 32),
    }),
  };
}
