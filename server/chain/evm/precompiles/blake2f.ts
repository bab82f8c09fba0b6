/**
 * The compression function F of BLAKE2b at 0x09 (EIP-152, RFC 7693 section 3.2), one gas for each round. Its 64-bit
 * words are pairs of 32-bit integers, low half first, which is also how the input lays them out.
 */
import { outOfGas, type Precompile } from "@/server/chain/evm/precompiles/result";

const inputBytes = 213;

/** The words that SHA-512 begins with, low and high half in turn. */
const initial = [
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
  0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
];

/** Which word of the message each step of a round takes, in hex; after ten rounds they repeat. */
const schedule = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
].map((row) => Uint8Array.from(row, (digit) => 2 * Number.parseInt(digit, 16)));

export const blake2f: Precompile = (input, gasLimit) => {
  if (input.length !== inputBytes) return { failure: "blake2f: input is not 213 bytes" };
  const isFinal = input[inputBytes - 1]!;
  if (isFinal > 1) return { failure: "blake2f: the final flag is neither 0 nor 1" };
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const rounds = view.getUint32(0);
  const gasUsed = BigInt(rounds);
  if (gasUsed > gasLimit) return outOfGas;
  const read = (at: number, count: number) =>
    Int32Array.from({ length: count }, (_, i) => view.getInt32(at + 4 * i, true));
  const state = read(4, 16);
  const work = Int32Array.from([...state, ...initial]);
  const counter = read(196, 4);
  for (let half = 0; half < 4; half++) work[24 + half]! ^= counter[half]!;
  if (isFinal === 1) {
    work[28] = ~work[28]!;
    work[29] = ~work[29]!;
  }
  runRounds(work, read(68, 32), rounds);
  const output = new Uint8Array(64);
  const out = new DataView(output.buffer);
  for (let half = 0; half < 16; half++) out.setInt32(4 * half, state[half]! ^ work[half]! ^ work[16 + half]!, true);
  return { gasUsed, output };
};

function runRounds(v: Int32Array, message: Int32Array, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    const order = schedule[round % 10]!;
    mix(v, message, 0, 8, 16, 24, order[0]!, order[1]!);
    mix(v, message, 2, 10, 18, 26, order[2]!, order[3]!);
    mix(v, message, 4, 12, 20, 28, order[4]!, order[5]!);
    mix(v, message, 6, 14, 22, 30, order[6]!, order[7]!);
    mix(v, message, 0, 10, 20, 30, order[8]!, order[9]!);
    mix(v, message, 2, 12, 22, 24, order[10]!, order[11]!);
    mix(v, message, 4, 14, 16, 26, order[12]!, order[13]!);
    mix(v, message, 6, 8, 18, 28, order[14]!, order[15]!);
  }
}

/** The function G of RFC 7693 section 3.1 on the words at these places, with two words of the message. */
function mix(
  v: Int32Array,
  message: Int32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  x: number,
  y: number,
): void {
  let aLow = v[a]!;
  let aHigh = v[a + 1]!;
  let bLow = v[b]!;
  let bHigh = v[b + 1]!;
  let cLow = v[c]!;
  let cHigh = v[c + 1]!;
  let dLow = v[d]!;
  let dHigh = v[d + 1]!;
  // a = a + b + x; a carry is what the sum of the low halves lost.
  let sum = (aLow >>> 0) + (bLow >>> 0) + (message[x]! >>> 0);
  aHigh = (aHigh + bHigh + message[x + 1]! + Math.floor(sum / 2 ** 32)) | 0;
  aLow = sum | 0;
  // d = (d ^ a) rotated by 32
  let low = dHigh ^ aHigh;
  dHigh = dLow ^ aLow;
  dLow = low;
  // c = c + d
  sum = (cLow >>> 0) + (dLow >>> 0);
  cHigh = (cHigh + dHigh + Math.floor(sum / 2 ** 32)) | 0;
  cLow = sum | 0;
  // b = (b ^ c) rotated by 24
  low = bLow ^ cLow;
  let high = bHigh ^ cHigh;
  bLow = (low >>> 24) | (high << 8);
  bHigh = (high >>> 24) | (low << 8);
  // a = a + b + y
  sum = (aLow >>> 0) + (bLow >>> 0) + (message[y]! >>> 0);
  aHigh = (aHigh + bHigh + message[y + 1]! + Math.floor(sum / 2 ** 32)) | 0;
  aLow = sum | 0;
  // d = (d ^ a) rotated by 16
  low = dLow ^ aLow;
  high = dHigh ^ aHigh;
  dLow = (low >>> 16) | (high << 16);
  dHigh = (high >>> 16) | (low << 16);
  // c = c + d
  sum = (cLow >>> 0) + (dLow >>> 0);
  cHigh = (cHigh + dHigh + Math.floor(sum / 2 ** 32)) | 0;
  cLow = sum | 0;
  // b = (b ^ c) rotated by 63
  low = bLow ^ cLow;
  high = bHigh ^ cHigh;
  bLow = (low << 1) | (high >>> 31);
  bHigh = (high << 1) | (low >>> 31);
  v[a] = aLow;
  v[a + 1] = aHigh;
  v[b] = bLow;
  v[b + 1] = bHigh;
  v[c] = cLow;
  v[c + 1] = cHigh;
  v[d] = dLow;
  v[d + 1] = dHigh;
}
