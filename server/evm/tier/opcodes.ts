/**
 * Determines how each opcode runs in compiled code. The machine runs opcodes that reach beyond the frame or whose
 * price depends on state.
 */
import { findOpcode, type Opcode, opcodes } from "@/lib/opcodes";
import { evmForks } from "@/server/evm/rules";

type OpcodeKind =
  /** Compiled code runs the opcode. Apart from memory, the opcode's whole cost is known in advance. */
  | "plain"
  /** The machine's `step()` runs the opcode and charges for it. After that, the frame continues. */
  | "step"
  /** Like `step`, but another frame runs before this frame continues. */
  | "call"
  /** The opcode ends the frame. */
  | "end"
  /** Only the interpreter runs the opcode. */
  | "unknown";

/** `gas` is the price that compiled code charges. */
export type TierOpcode = Pick<Opcode, "pops" | "pushes" | "gas"> & { kind: OpcodeKind; level: number };

const { BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, BLOCKHASH, SELFBALANCE, BLOBHASH, SLOAD, SSTORE } = opcodes;
const { CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY, TLOAD, TSTORE, LOG0, LOG1, LOG2, LOG3, LOG4 } = opcodes;
const { CREATE, CREATE2, CALL, CALLCODE, DELEGATECALL, STATICCALL, STOP, RETURN, REVERT } = opcodes;

const kinds = new Map<number, OpcodeKind>([
  ...toKind("step", BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, BLOCKHASH, SELFBALANCE, BLOBHASH, SLOAD, SSTORE),
  ...toKind("step", CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY, TLOAD, TSTORE, LOG0, LOG1, LOG2, LOG3, LOG4),
  ...toKind("call", CREATE, CREATE2, CALL, CALLCODE, DELEGATECALL, STATICCALL),
  ...toKind("end", STOP, RETURN, REVERT),
  ...toKind("unknown", opcodes.INVALID, opcodes.SELFDESTRUCT),
]);

function toKind(kind: OpcodeKind, ...bytes: number[]): [number, OpcodeKind][] {
  return bytes.map((byte) => [byte, kind]);
}

const unknown: TierOpcode = { kind: "unknown", gas: 0, pops: 0, pushes: 0, level: 0 };
const table = Array.from({ length: 256 }, (_, byte) => toTierOpcode(byte));

function toTierOpcode(byte: number): TierOpcode {
  const found = findOpcode(byte);
  const kind = kinds.get(byte) ?? "plain";
  if (!found || kind === "unknown") return unknown;
  const { pops, pushes, gas, since } = found;
  return { kind, gas: kind === "plain" ? gas : 0, pops, pushes, level: evmForks.indexOf(since) };
}

/** The opcode under the fork's rules. Its kind is "unknown" if it's invalid or the fork doesn't have it. */
export function getOpcode(byte: number, level: number): TierOpcode {
  const found = table[byte]!;
  return found.level <= level ? found : unknown;
}
