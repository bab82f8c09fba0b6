/**
 * Keccak-256 with the padding of the original Keccak submission, which Ethereum uses. The permutation keeps its 25
 * lanes in locals; the number in a lane's name is its index, x + 5y.
 */
import { KECCAK_BLOCK, KECCAK_ROUNDS, KECCAK_STATE } from "./layout";

/** How many bytes one permutation absorbs. */
const RATE: u32 = 136;

/** Writes the round constants to memory. Called once for each machine. */
export function prepareKeccak(): void {
  store<u64>(KECCAK_ROUNDS, 0x1, 0);
  store<u64>(KECCAK_ROUNDS, 0x8082, 8);
  store<u64>(KECCAK_ROUNDS, 0x800000000000808a, 16);
  store<u64>(KECCAK_ROUNDS, 0x8000000080008000, 24);
  store<u64>(KECCAK_ROUNDS, 0x808b, 32);
  store<u64>(KECCAK_ROUNDS, 0x80000001, 40);
  store<u64>(KECCAK_ROUNDS, 0x8000000080008081, 48);
  store<u64>(KECCAK_ROUNDS, 0x8000000000008009, 56);
  store<u64>(KECCAK_ROUNDS, 0x8a, 64);
  store<u64>(KECCAK_ROUNDS, 0x88, 72);
  store<u64>(KECCAK_ROUNDS, 0x80008009, 80);
  store<u64>(KECCAK_ROUNDS, 0x8000000a, 88);
  store<u64>(KECCAK_ROUNDS, 0x8000808b, 96);
  store<u64>(KECCAK_ROUNDS, 0x800000000000008b, 104);
  store<u64>(KECCAK_ROUNDS, 0x8000000000008089, 112);
  store<u64>(KECCAK_ROUNDS, 0x8000000000008003, 120);
  store<u64>(KECCAK_ROUNDS, 0x8000000000008002, 128);
  store<u64>(KECCAK_ROUNDS, 0x8000000000000080, 136);
  store<u64>(KECCAK_ROUNDS, 0x800a, 144);
  store<u64>(KECCAK_ROUNDS, 0x800000008000000a, 152);
  store<u64>(KECCAK_ROUNDS, 0x8000000080008081, 160);
  store<u64>(KECCAK_ROUNDS, 0x8000000000008080, 168);
  store<u64>(KECCAK_ROUNDS, 0x80000001, 176);
  store<u64>(KECCAK_ROUNDS, 0x8000000080008008, 184);
}

/** Hashes the bytes and writes the 32-byte hash to `to`. */
export function keccak(to: usize, from: usize, length: u32): void {
  memory.fill(KECCAK_STATE, 0, 200);
  if (length < RATE) {
    // The state is all zeros, so copying the block gives the same result as XORing it in.
    memory.copy(KECCAK_STATE, from, length);
    pad(KECCAK_STATE, length);
    permute();
  } else {
    while (length >= RATE) {
      absorb(from);
      from += RATE;
      length -= RATE;
    }
    memory.fill(KECCAK_BLOCK, 0, RATE);
    memory.copy(KECCAK_BLOCK, from, length);
    pad(KECCAK_BLOCK, length);
    absorb(KECCAK_BLOCK);
  }
  store<u64>(to, load<u64>(KECCAK_STATE));
  store<u64>(to, load<u64>(KECCAK_STATE, 8), 8);
  store<u64>(to, load<u64>(KECCAK_STATE, 16), 16);
  store<u64>(to, load<u64>(KECCAK_STATE, 24), 24);
}

@inline
function pad(block: usize, length: u32): void {
  store<u8>(block + length, 1);
  store<u8>(block, load<u8>(block, RATE - 1) | 0x80, RATE - 1);
}

function absorb(from: usize): void {
  for (let at: usize = 0; at < RATE; at += 8) {
    store<u64>(KECCAK_STATE + at, load<u64>(KECCAK_STATE + at) ^ load<u64>(from + at));
  }
  permute();
}

function permute(): void {
  let a0 = load<u64>(KECCAK_STATE, 0);
  let a1 = load<u64>(KECCAK_STATE, 8);
  let a2 = load<u64>(KECCAK_STATE, 16);
  let a3 = load<u64>(KECCAK_STATE, 24);
  let a4 = load<u64>(KECCAK_STATE, 32);
  let a5 = load<u64>(KECCAK_STATE, 40);
  let a6 = load<u64>(KECCAK_STATE, 48);
  let a7 = load<u64>(KECCAK_STATE, 56);
  let a8 = load<u64>(KECCAK_STATE, 64);
  let a9 = load<u64>(KECCAK_STATE, 72);
  let a10 = load<u64>(KECCAK_STATE, 80);
  let a11 = load<u64>(KECCAK_STATE, 88);
  let a12 = load<u64>(KECCAK_STATE, 96);
  let a13 = load<u64>(KECCAK_STATE, 104);
  let a14 = load<u64>(KECCAK_STATE, 112);
  let a15 = load<u64>(KECCAK_STATE, 120);
  let a16 = load<u64>(KECCAK_STATE, 128);
  let a17 = load<u64>(KECCAK_STATE, 136);
  let a18 = load<u64>(KECCAK_STATE, 144);
  let a19 = load<u64>(KECCAK_STATE, 152);
  let a20 = load<u64>(KECCAK_STATE, 160);
  let a21 = load<u64>(KECCAK_STATE, 168);
  let a22 = load<u64>(KECCAK_STATE, 176);
  let a23 = load<u64>(KECCAK_STATE, 184);
  let a24 = load<u64>(KECCAK_STATE, 192);
  for (let at = KECCAK_ROUNDS, end = KECCAK_ROUNDS + 192; at < end; at += 8) {
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl(c1, 1);
    const d1 = c0 ^ rotl(c2, 1);
    const d2 = c1 ^ rotl(c3, 1);
    const d3 = c2 ^ rotl(c4, 1);
    const d4 = c3 ^ rotl(c0, 1);
    const b0 = a0 ^ d0;
    const b10 = rotl(a1 ^ d1, 1);
    const b20 = rotl(a2 ^ d2, 62);
    const b5 = rotl(a3 ^ d3, 28);
    const b15 = rotl(a4 ^ d4, 27);
    const b16 = rotl(a5 ^ d0, 36);
    const b1 = rotl(a6 ^ d1, 44);
    const b11 = rotl(a7 ^ d2, 6);
    const b21 = rotl(a8 ^ d3, 55);
    const b6 = rotl(a9 ^ d4, 20);
    const b7 = rotl(a10 ^ d0, 3);
    const b17 = rotl(a11 ^ d1, 10);
    const b2 = rotl(a12 ^ d2, 43);
    const b12 = rotl(a13 ^ d3, 25);
    const b22 = rotl(a14 ^ d4, 39);
    const b23 = rotl(a15 ^ d0, 41);
    const b8 = rotl(a16 ^ d1, 45);
    const b18 = rotl(a17 ^ d2, 15);
    const b3 = rotl(a18 ^ d3, 21);
    const b13 = rotl(a19 ^ d4, 8);
    const b14 = rotl(a20 ^ d0, 18);
    const b24 = rotl(a21 ^ d1, 2);
    const b9 = rotl(a22 ^ d2, 61);
    const b19 = rotl(a23 ^ d3, 56);
    const b4 = rotl(a24 ^ d4, 14);
    a0 = b0 ^ (~b1 & b2) ^ load<u64>(at);
    a1 = b1 ^ (~b2 & b3);
    a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0);
    a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7);
    a6 = b6 ^ (~b7 & b8);
    a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5);
    a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12);
    a11 = b11 ^ (~b12 & b13);
    a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10);
    a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17);
    a16 = b16 ^ (~b17 & b18);
    a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15);
    a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22);
    a21 = b21 ^ (~b22 & b23);
    a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20);
    a24 = b24 ^ (~b20 & b21);
  }
  store<u64>(KECCAK_STATE, a0, 0);
  store<u64>(KECCAK_STATE, a1, 8);
  store<u64>(KECCAK_STATE, a2, 16);
  store<u64>(KECCAK_STATE, a3, 24);
  store<u64>(KECCAK_STATE, a4, 32);
  store<u64>(KECCAK_STATE, a5, 40);
  store<u64>(KECCAK_STATE, a6, 48);
  store<u64>(KECCAK_STATE, a7, 56);
  store<u64>(KECCAK_STATE, a8, 64);
  store<u64>(KECCAK_STATE, a9, 72);
  store<u64>(KECCAK_STATE, a10, 80);
  store<u64>(KECCAK_STATE, a11, 88);
  store<u64>(KECCAK_STATE, a12, 96);
  store<u64>(KECCAK_STATE, a13, 104);
  store<u64>(KECCAK_STATE, a14, 112);
  store<u64>(KECCAK_STATE, a15, 120);
  store<u64>(KECCAK_STATE, a16, 128);
  store<u64>(KECCAK_STATE, a17, 136);
  store<u64>(KECCAK_STATE, a18, 144);
  store<u64>(KECCAK_STATE, a19, 152);
  store<u64>(KECCAK_STATE, a20, 160);
  store<u64>(KECCAK_STATE, a21, 168);
  store<u64>(KECCAK_STATE, a22, 176);
  store<u64>(KECCAK_STATE, a23, 184);
  store<u64>(KECCAK_STATE, a24, 192);
}
