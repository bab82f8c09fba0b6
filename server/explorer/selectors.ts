/**
 * Recovers function selectors from bytecode by how compilers dispatch: the code pushes the four bytes, compares them
 * with the input's and jumps. It reads opcodes in order, so that push data is never mistaken for code.
 */
import type { Hex } from "@/server/ethereum/types";
import { getDecoder } from "@/server/explorer/decoder";

const push1 = 0x60;
const push3 = 0x62;
const push4 = 0x63;
const push32 = 0x7f;
/** EQ, or SUB and XOR, which some compilers use to compare. */
const comparisons = new Set([0x14, 0x03, 0x18]);
/** DUP1 to DUP16 and SWAP1 to SWAP16, which may come in between. */
const isShuffle = (code: number) => code >= 0x80 && code <= 0x9f;
const jumpi = 0x57;
/** A comparison and its jump follow within this many opcodes of the push. */
const reach = 6;

/** In the order in which the code tests them, without duplicates. */
export function listSelectors(code: Uint8Array): Hex[] {
  const opcodes = toOpcodes(code);
  const found = new Set<Hex>();
  for (const [at, { code: opcode, data }] of opcodes.entries()) {
    // A selector that begins with a zero byte is pushed as three bytes; shorter pushes are lengths and flags that the
    // code also compares.
    if ((opcode !== push3 && opcode !== push4) || !data) continue;
    if (isCompared(opcodes.slice(at + 1, at + 1 + reach))) found.add(`0x${data.padStart(8, "0")}`);
  }
  return [...found];
}

/** Each selector with its signature, if a known interface declares it. */
export function listNamedSelectors(code: Uint8Array): { selectors: Hex[]; signatures: (string | null)[] } {
  const selectors = listSelectors(code);
  const { findFunction } = getDecoder();
  return { selectors, signatures: selectors.map((selector) => findFunction(selector)?.signature ?? null) };
}

type Opcode = { code: number; data?: string };

function toOpcodes(code: Uint8Array): Opcode[] {
  const opcodes: Opcode[] = [];
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!;
    if (opcode < push1 || opcode > push32) {
      opcodes.push({ code: opcode });
      continue;
    }
    const length = opcode - push1 + 1;
    opcodes.push({ code: opcode, data: Buffer.from(code.subarray(at + 1, at + 1 + length)).toString("hex") });
    at += length;
  }
  return opcodes;
}

/** [DUP] EQ PUSH target JUMPI, with the pushes and shuffles that optimizers put in between. */
function isCompared(following: Opcode[]): boolean {
  const compared = following.findIndex(({ code }) => comparisons.has(code));
  if (compared < 0 || !following.slice(0, compared).every(({ code }) => isShuffle(code))) return false;
  const jump = following.findIndex(({ code }, at) => at > compared && code === jumpi);
  return jump > compared && following.slice(compared + 1, jump).some(({ data }) => data !== undefined);
}
