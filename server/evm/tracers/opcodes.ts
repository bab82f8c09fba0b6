/**
 * geth's names of opcodes and the number of stack words each takes, for its tracers and error messages.
 */

const names = new Map<number, string>();

function name(first: number, list: string): void {
  for (const [index, each] of list.split(" ").entries()) if (each !== "-") names.set(first + index, each);
}

name(0x00, "STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND");
name(0x10, "LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ");
name(0x20, "KECCAK256");
name(0x30, "ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE");
name(0x3b, "EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH");
name(0x40, "BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE");
name(0x50, "POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY");
for (let words = 0; words <= 32; words++) names.set(0x5f + words, `PUSH${words}`);
for (let place = 1; place <= 16; place++) {
  names.set(0x7f + place, `DUP${place}`);
  names.set(0x8f + place, `SWAP${place}`);
}
name(0xa0, "LOG0 LOG1 LOG2 LOG3 LOG4");
name(0xf0, "CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2");
name(0xfa, "STATICCALL - - REVERT INVALID SELFDESTRUCT");

/** Words taken from the stack by the opcodes that take any, except DUP and SWAP. */
const taken: Partial<Record<number, number>> = {
  ...range(0x01, 0x07, 2),
  ...range(0x08, 0x09, 3),
  ...range(0x0a, 0x0b, 2),
  ...range(0x10, 0x14, 2),
  21: 1,
  ...range(0x16, 0x18, 2),
  25: 1,
  ...range(0x1a, 0x1d, 2),
  30: 1,
  32: 2,
  49: 1,
  53: 1,
  55: 3,
  57: 3,
  59: 1,
  60: 4,
  62: 3,
  63: 1,
  64: 1,
  73: 1,
  80: 1,
  81: 1,
  82: 2,
  83: 2,
  84: 1,
  85: 2,
  86: 1,
  87: 2,
  92: 1,
  93: 2,
  94: 3,
  ...Object.fromEntries([0, 1, 2, 3, 4].map((topics) => [0xa0 + topics, 2 + topics])),
  240: 3,
  241: 7,
  242: 7,
  243: 2,
  244: 6,
  245: 4,
  250: 6,
  253: 2,
  255: 1,
};

/** How many words the opcode needs on the stack. */
export function stackInputs(code: number): number {
  if (code >= 0x80 && code <= 0x8f) return code - 0x7f;
  if (code >= 0x90 && code <= 0x9f) return code - 0x8e;
  return taken[code] ?? 0;
}

/** geth's name for an opcode, whether or not the fork has it. */
export function toOpcodeName(code: number): string {
  return names.get(code) ?? `opcode 0x${code.toString(16)} not defined`;
}

function range(from: number, to: number, words: number): Record<number, number> {
  return Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [from + index, words]));
}
