/**
 * Recovers function selectors from bytecode. Compiled dispatchers push a selector's four bytes, compare them with the
 * first four bytes of the input, and jump. Instructions are read in order, so that push data is never mistaken for
 * code.
 */
import { findOpcode, opcodes } from "@/lib/opcodes";
import type { Hex } from "@/server/ethereum/types";
import { getDecoder } from "@/server/explorer/decoder";

/** The opcodes that compare selectors. Some compilers use SUB or XOR. */
const comparisons = new Set([opcodes.EQ, opcodes.SUB, opcodes.XOR]);
/** DUP1 to DUP16 and SWAP1 to SWAP16, which may occur between the push and the comparison. */
const isShuffle = (code: number) => code >= 0x80 && code <= 0x9f;
/** The comparison and the jump must follow the push within this many instructions. */
const reach = 6;

/** Selectors in dispatch order, without duplicates. */
export function listSelectors(code: Uint8Array): Hex[] {
  const instructions = toInstructions(code);
  const found = new Set<Hex>();
  for (const [at, { code: byte, data }] of instructions.entries()) {
    // If a selector starts with a zero byte, only its other three bytes are pushed. Shorter pushes are lengths and
    // flags.
    const pushed = findOpcode(byte)?.immediateBytes;
    if ((pushed !== 3 && pushed !== 4) || !data) continue;
    if (isCompared(instructions.slice(at + 1, at + 1 + reach))) found.add(`0x${data.padStart(8, "0")}`);
  }
  return [...found];
}

/** Lists each selector with its signature, if a known interface declares the function. */
export function listNamedSelectors(code: Uint8Array): { selectors: Hex[]; signatures: (string | null)[] } {
  const selectors = listSelectors(code);
  const { findFunction } = getDecoder();
  return { selectors, signatures: selectors.map((selector) => findFunction(selector)?.signature ?? null) };
}

type Instruction = { code: number; data?: string };

function toInstructions(code: Uint8Array): Instruction[] {
  const instructions: Instruction[] = [];
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]!;
    const size = findOpcode(byte)?.immediateBytes ?? 0;
    const data = Buffer.from(code.subarray(at + 1, at + 1 + size)).toString("hex");
    instructions.push(size > 0 ? { code: byte, data } : { code: byte });
    at += size;
  }
  return instructions;
}

/** Whether the code matches [DUP] EQ PUSH target JUMPI, apart from pushes and shuffles that optimizers insert. */
function isCompared(following: Instruction[]): boolean {
  const compared = following.findIndex(({ code }) => comparisons.has(code));
  if (compared < 0 || !following.slice(0, compared).every(({ code }) => isShuffle(code))) return false;
  const jump = following.findIndex(({ code }, at) => at > compared && code === opcodes.JUMPI);
  return jump > compared && following.slice(compared + 1, jump).some(({ data }) => data !== undefined);
}
