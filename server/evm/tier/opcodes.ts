/**
 * Static properties of opcodes: price, words taken from and put on the stack, and the fork that introduced them (by the
 * machine's numbers, see rules.ts). The machine runs opcodes whose price depends on state or that reach beyond the
 * frame, when compiled code asks it to.
 */

type OpcodeKind =
  /** Run by compiled code: its whole cost is known, apart from memory. */
  | "plain"
  /** Run by the machine's step(), which charges for it; the frame continues after it. */
  | "step"
  /** The same, but another frame runs in between. */
  | "call"
  /** Ends the frame. */
  | "end"
  /** Left to the interpreter. */
  | "unknown";

export type Opcode = { kind: OpcodeKind; gas: number; pops: number; pushes: number; level: number };

const byzantium = 4;
const constantinople = 5;
const istanbul = 7;
const london = 9;
const shanghai = 11;
const cancun = 12;
const osaka = 14;

const unknown: Opcode = { kind: "unknown", gas: 0, pops: 0, pushes: 0, level: 0 };
const table: Opcode[] = Array.from({ length: 256 }, () => unknown);

function define(kind: OpcodeKind, ops: readonly number[], gas: number, pops: number, pushes: number, level = 0): void {
  for (const op of ops) table[op] = { kind, gas, pops, pushes, level };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

define("plain", [0x01, 0x03, ...range(0x10, 0x14), 0x16, 0x17, 0x18, 0x1a], 3, 2, 1);
define("plain", [0x02, 0x04, 0x05, 0x06, 0x07, 0x0b], 5, 2, 1);
define("plain", [0x08, 0x09], 8, 3, 1);
define("plain", [0x0a], 10, 2, 1);
define("plain", [0x15, 0x19], 3, 1, 1);
define("plain", [0x1b, 0x1c, 0x1d], 3, 2, 1, constantinople);
define("plain", [0x1e], 5, 1, 1, osaka);
define("plain", [0x20], 30, 2, 1);
define("plain", [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, ...range(0x41, 0x45)], 2, 0, 1);
define("plain", [0x35], 3, 1, 1);
define("plain", [0x3d], 2, 0, 1, byzantium);
define("plain", [0x46], 2, 0, 1, istanbul);
define("plain", [0x48], 2, 0, 1, london);
define("plain", [0x4a], 2, 0, 1, cancun);
define("plain", [0x50], 2, 1, 0);
define("plain", [0x51], 3, 1, 1);
define("plain", [0x52, 0x53], 3, 2, 0);
define("plain", [0x56], 8, 1, 0);
define("plain", [0x57], 10, 2, 0);
define("plain", [0x58, 0x59, 0x5a], 2, 0, 1);
define("plain", [0x5b], 1, 0, 0);
define("plain", [0x5f], 2, 0, 1, shanghai);
define("plain", range(0x60, 0x7f), 3, 0, 1);
for (let count = 1; count <= 16; count++) {
  define("plain", [0x7f + count], 3, count, count + 1);
  define("plain", [0x8f + count], 3, count + 1, count + 1);
}
define("step", [0x31, 0x3b, 0x3f, 0x40, 0x49, 0x54, 0x5c], 0, 1, 1);
define("step", [0x47], 0, 0, 1);
define("step", [0x37, 0x39, 0x3e, 0x5e], 0, 3, 0);
define("step", [0x3c], 0, 4, 0);
define("step", [0x55, 0x5d], 0, 2, 0);
for (let topics = 0; topics <= 4; topics++) define("step", [0xa0 + topics], 0, 2 + topics, 0);
define("call", [0xf0], 0, 3, 1);
define("call", [0xf5], 0, 4, 1);
define("call", [0xf1, 0xf2], 0, 7, 1);
define("call", [0xf4, 0xfa], 0, 6, 1);
define("end", [0x00], 0, 0, 0);
define("end", [0xf3], 0, 2, 0);
define("end", [0xfd], 0, 2, 0, byzantium);

/** The opcode under the fork's rules; an opcode that is invalid or that the fork doesn't have is unknown. */
export function getOpcode(op: number, level: number): Opcode {
  const found = table[op]!;
  return found.level <= level ? found : unknown;
}
