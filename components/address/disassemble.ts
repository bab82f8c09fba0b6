/**
 * Bytecode as one line per instruction: offset, name and pushed data. Invalid opcodes are marked, because the data that
 * compilers append is mostly not code.
 */

const names: Record<number, string> = Object.fromEntries(
  [
    [0x00, "STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND"],
    [0x10, "LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ"],
    [0x20, "KECCAK256"],
    [0x30, "ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE"],
    [0x3b, "EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER"],
    [0x44, "PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE"],
    [0x50, "POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0"],
    [0xa0, "LOG0 LOG1 LOG2 LOG3 LOG4"],
    [0xf0, "CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2"],
    [0xfa, "STATICCALL"],
    [0xfd, "REVERT INVALID SELFDESTRUCT"],
  ].flatMap(([first, list]) => (list as string).split(" ").map((name, at) => [(first as number) + at, name])),
);

function toName(opcode: number): string | undefined {
  if (opcode >= 0x60 && opcode <= 0x7f) return `PUSH${opcode - 0x5f}`;
  if (opcode >= 0x80 && opcode <= 0x8f) return `DUP${opcode - 0x7f}`;
  if (opcode >= 0x90 && opcode <= 0x9f) return `SWAP${opcode - 0x8f}`;
  return names[opcode];
}

/** code starts with 0x. */
export function disassemble(code: string): string[] {
  const lines: string[] = [];
  const size = (code.length - 2) / 2;
  for (let at = 0; at < size; at++) {
    const offset = at.toString(16).padStart(4, "0");
    const opcode = Number.parseInt(code.slice(2 + at * 2, 4 + at * 2), 16);
    const name = toName(opcode);
    const length = opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0;
    const data = length > 0 ? ` 0x${code.slice(4 + at * 2, 4 + (at + length) * 2)}` : "";
    lines.push(`${offset}  ${name ?? `(0x${opcode.toString(16).padStart(2, "0")})`}${data}`);
    at += length;
  }
  return lines;
}
