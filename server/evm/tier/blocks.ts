/**
 * Splits code into basic blocks. A block begins at the start of the code, at a jump destination or after a call. A
 * block consists of segments: the gas of a segment is charged at once, and only its last instruction can read gas or
 * end the frame.
 */
import { findOpcode, opcodes } from "@/lib/opcodes";
import { getOpcode, type TierOpcode } from "@/server/evm/tier/opcodes";

export type Instruction = {
  pc: number;
  op: number;
  /** Offset of the next instruction. */
  next: number;
  /** The value that a PUSH pushes. */
  value: bigint;
  opcode: TierOpcode;
};

export type Segment = {
  instructions: Instruction[];
  gas: number;
  /** The minimum number of words on the stack at the start, and the maximum number of words by which it grows. */
  need: number;
  growth: number;
};

export type Block = {
  pc: number;
  isJumpTarget: boolean;
  segments: Segment[];
  /** Where execution continues after the last instruction; undefined if the frame ends there. */
  next: number | undefined;
};

/** Returns the blocks, in the order in which they appear in the code. */
export function findBlocks(code: Uint8Array, level: number): Block[] {
  const blocks: Block[] = [];
  let instructions: Instruction[] = [];
  let start: { pc: number; isJumpTarget: boolean } | undefined = { pc: 0, isJumpTarget: false };
  const close = (next: number | undefined) => {
    if (start) blocks.push({ ...start, segments: toSegments(instructions), next });
    instructions = [];
    start = undefined;
  };
  for (let pc = 0; pc < code.length; ) {
    const instruction = readInstruction(code, pc, level);
    const { op, next, opcode } = instruction;
    if (op === opcodes.JUMPDEST) {
      if (instructions.length > 0) close(pc);
      start = { pc, isJumpTarget: true };
    }
    if (start) instructions.push(instruction);
    if (opcode.kind === "call") {
      close(undefined);
      start = { pc: next, isJumpTarget: false };
    } else if (start && (op === opcodes.JUMP || opcode.kind === "end" || opcode.kind === "unknown")) close(undefined);
    pc = next;
  }
  // If the code's last instruction doesn't end the frame, execution continues into the zeros after the code, and opcode
  // zero is STOP.
  if (start) {
    const pc = Math.max(code.length, instructions.at(-1)?.next ?? 0);
    instructions.push({ pc, op: opcodes.STOP, next: pc, value: 0n, opcode: getOpcode(opcodes.STOP, level) });
    close(undefined);
  }
  return blocks;
}

function readInstruction(code: Uint8Array, pc: number, level: number): Instruction {
  const op = code[pc]!;
  const count = findOpcode(op)?.immediateBytes ?? 0;
  let value = 0n;
  for (let i = 1; i <= count; i++) value = (value << 8n) | BigInt(code[pc + i] ?? 0);
  return { pc, op, next: pc + 1 + count, value, opcode: getOpcode(op, level) };
}

function toSegments(instructions: readonly Instruction[]): Segment[] {
  const segments: Segment[] = [];
  let depth = 0;
  let segment: Segment | undefined;
  for (const instruction of instructions) {
    const { op, opcode } = instruction;
    // Starts a separate segment, because compiled code doesn't charge for this instruction.
    if (opcode.kind === "unknown") segment = undefined;
    if (!segment) {
      segment = { instructions: [], gas: 0, need: 0, growth: 0 };
      segments.push(segment);
    }
    segment.instructions.push(instruction);
    segment.gas += opcode.gas;
    segment.need = Math.max(segment.need, opcode.pops - depth);
    depth += opcode.pushes - opcode.pops;
    segment.growth = Math.max(segment.growth, depth);
    if (op === opcodes.JUMPI || op === opcodes.GAS || opcode.kind !== "plain") segment = undefined;
  }
  return segments;
}
