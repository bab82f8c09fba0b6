/**
 * The EVM's opcodes, for the disassembler, the tracers and the compiler tier. The interpreter (server/evm/assembly)
 * doesn't use this table; opcodes.test.ts compares the two.
 */

export type Opcode = {
  /** 0x44 is PREVRANDAO even for forks before the merge. */
  name: string;
  /** How many words the opcode removes from the stack. `pushes` is how many it adds. */
  pops: number;
  pushes: number;
  /** How many bytes of immediate data follow the opcode in the code. */
  immediateBytes: number;
  /**
   * The base gas, which excludes costs that depend on operands. 0 if the whole cost depends on the fork or the state.
   */
  gas: number;
  /** The fork that introduced the opcode. */
  since: OpcodeFork;
};
type OpcodeFork =
  | "frontier"
  | "homestead"
  | "byzantium"
  | "constantinople"
  | "istanbul"
  | "london"
  | "shanghai"
  | "cancun"
  | "osaka";
type Row = readonly [byte: number, name: string, pops: number, pushes: number, gas: number, since?: OpcodeFork];

const rows = [
  [0x00, "STOP", 0, 0, 0],
  [0x01, "ADD", 2, 1, 3],
  [0x02, "MUL", 2, 1, 5],
  [0x03, "SUB", 2, 1, 3],
  [0x04, "DIV", 2, 1, 5],
  [0x05, "SDIV", 2, 1, 5],
  [0x06, "MOD", 2, 1, 5],
  [0x07, "SMOD", 2, 1, 5],
  [0x08, "ADDMOD", 3, 1, 8],
  [0x09, "MULMOD", 3, 1, 8],
  [0x0a, "EXP", 2, 1, 10],
  [0x0b, "SIGNEXTEND", 2, 1, 5],
  [0x10, "LT", 2, 1, 3],
  [0x11, "GT", 2, 1, 3],
  [0x12, "SLT", 2, 1, 3],
  [0x13, "SGT", 2, 1, 3],
  [0x14, "EQ", 2, 1, 3],
  [0x15, "ISZERO", 1, 1, 3],
  [0x16, "AND", 2, 1, 3],
  [0x17, "OR", 2, 1, 3],
  [0x18, "XOR", 2, 1, 3],
  [0x19, "NOT", 1, 1, 3],
  [0x1a, "BYTE", 2, 1, 3],
  [0x1b, "SHL", 2, 1, 3, "constantinople"],
  [0x1c, "SHR", 2, 1, 3, "constantinople"],
  [0x1d, "SAR", 2, 1, 3, "constantinople"],
  [0x1e, "CLZ", 1, 1, 5, "osaka"],
  [0x20, "KECCAK256", 2, 1, 30],
  [0x30, "ADDRESS", 0, 1, 2],
  [0x31, "BALANCE", 1, 1, 0],
  [0x32, "ORIGIN", 0, 1, 2],
  [0x33, "CALLER", 0, 1, 2],
  [0x34, "CALLVALUE", 0, 1, 2],
  [0x35, "CALLDATALOAD", 1, 1, 3],
  [0x36, "CALLDATASIZE", 0, 1, 2],
  [0x37, "CALLDATACOPY", 3, 0, 3],
  [0x38, "CODESIZE", 0, 1, 2],
  [0x39, "CODECOPY", 3, 0, 3],
  [0x3a, "GASPRICE", 0, 1, 2],
  [0x3b, "EXTCODESIZE", 1, 1, 0],
  [0x3c, "EXTCODECOPY", 4, 0, 0],
  [0x3d, "RETURNDATASIZE", 0, 1, 2, "byzantium"],
  [0x3e, "RETURNDATACOPY", 3, 0, 3, "byzantium"],
  [0x3f, "EXTCODEHASH", 1, 1, 0, "constantinople"],
  [0x40, "BLOCKHASH", 1, 1, 20],
  [0x41, "COINBASE", 0, 1, 2],
  [0x42, "TIMESTAMP", 0, 1, 2],
  [0x43, "NUMBER", 0, 1, 2],
  [0x44, "PREVRANDAO", 0, 1, 2],
  [0x45, "GASLIMIT", 0, 1, 2],
  [0x46, "CHAINID", 0, 1, 2, "istanbul"],
  [0x47, "SELFBALANCE", 0, 1, 5, "istanbul"],
  [0x48, "BASEFEE", 0, 1, 2, "london"],
  [0x49, "BLOBHASH", 1, 1, 3, "cancun"],
  [0x4a, "BLOBBASEFEE", 0, 1, 2, "cancun"],
  [0x50, "POP", 1, 0, 2],
  [0x51, "MLOAD", 1, 1, 3],
  [0x52, "MSTORE", 2, 0, 3],
  [0x53, "MSTORE8", 2, 0, 3],
  [0x54, "SLOAD", 1, 1, 0],
  [0x55, "SSTORE", 2, 0, 0],
  [0x56, "JUMP", 1, 0, 8],
  [0x57, "JUMPI", 2, 0, 10],
  [0x58, "PC", 0, 1, 2],
  [0x59, "MSIZE", 0, 1, 2],
  [0x5a, "GAS", 0, 1, 2],
  [0x5b, "JUMPDEST", 0, 0, 1],
  [0x5c, "TLOAD", 1, 1, 100, "cancun"],
  [0x5d, "TSTORE", 2, 0, 100, "cancun"],
  [0x5e, "MCOPY", 3, 0, 3, "cancun"],
  [0x5f, "PUSH0", 0, 1, 2, "shanghai"],
  [0xa0, "LOG0", 2, 0, 375],
  [0xa1, "LOG1", 3, 0, 750],
  [0xa2, "LOG2", 4, 0, 1_125],
  [0xa3, "LOG3", 5, 0, 1_500],
  [0xa4, "LOG4", 6, 0, 1_875],
  [0xf0, "CREATE", 3, 1, 32_000],
  [0xf1, "CALL", 7, 1, 0],
  [0xf2, "CALLCODE", 7, 1, 0],
  [0xf3, "RETURN", 2, 0, 0],
  [0xf4, "DELEGATECALL", 6, 1, 0, "homestead"],
  [0xf5, "CREATE2", 4, 1, 32_000, "constantinople"],
  [0xfa, "STATICCALL", 6, 1, 0, "byzantium"],
  [0xfd, "REVERT", 2, 0, 0, "byzantium"],
  [0xfe, "INVALID", 0, 0, 0],
  [0xff, "SELFDESTRUCT", 1, 0, 0],
] as const satisfies readonly Row[];

/** Maps opcode names to their bytes, except for the families PUSH1 to PUSH32, DUP and SWAP. */
export const opcodes = Object.fromEntries(rows.map(([byte, name]) => [name, byte])) as Record<
  (typeof rows)[number][1],
  number
>;

const table: (Opcode | undefined)[] = [];
for (const [byte, name, pops, pushes, gas, since = "frontier"] of rows as readonly Row[]) {
  table[byte] = { name, pops, pushes, immediateBytes: 0, gas, since };
}
const family = { immediateBytes: 0, gas: 3, since: "frontier" } as const;
for (let n = 1; n <= 32; n++) table[0x5f + n] = { ...family, name: `PUSH${n}`, pops: 0, pushes: 1, immediateBytes: n };
for (let n = 1; n <= 16; n++) {
  table[0x7f + n] = { ...family, name: `DUP${n}`, pops: n, pushes: n + 1 };
  table[0x8f + n] = { ...family, name: `SWAP${n}`, pops: n + 1, pushes: n + 1 };
}

/** The opcode for a byte in the newest fork. Undefined if no opcode has that byte. */
export function findOpcode(byte: number): Opcode | undefined {
  return table[byte];
}
