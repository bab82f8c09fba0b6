/**
 * Writes the control flow of a contract's code: one function with a label for each block. A jump to a later block is a
 * branch; other jumps go through a table. The function returns if the frame ends, makes a call, or has to continue in
 * the interpreter.
 */
import { code as codeAt, codeBytes, failures, frame, reasons } from "@/server/evm/layout";
import { anyBit } from "@/server/evm/tier/arithmetic";
import type { Block, Instruction, Segment } from "@/server/evm/tier/blocks";
import { type Emitter, local, toNumber, type Value, type Word, wordBytes } from "@/server/evm/tier/emitter";
import { type Contract, translate } from "@/server/evm/tier/instructions";
import * as limbs from "@/server/evm/tier/limbs";
import { copyStack, createStack, flush, pop, pushFromMachine, type Stack } from "@/server/evm/tier/stack";
import { w } from "@/server/evm/tier/wasm";

export type Program = Contract & { blocks: readonly Block[]; indexes: ReadonlyMap<number, number> };

const maxWords = 1_024;

/**
 * The block that is being written. Branch depths are counted from here: first the labels of later blocks, then the
 * outermost labels.
 */
type Place = { e: Emitter; program: Program; index: number; block: Block; stack: Stack };

/** Writes all of the function's code. */
export function writeProgram(e: Emitter, program: Program): void {
  writeEntry(e);
  // Opens the outermost labels, from the outside in: return to the interpreter, invalid jump, and dispatch of backward
  // jumps.
  e.block();
  e.block();
  e.loop();
  const count = program.blocks.length;
  for (let index = 0; index < count; index++) e.block();
  e.get(local.place);
  e.brTable(
    program.blocks.map((_, index) => index),
    count + 1,
  );
  for (const [index, block] of program.blocks.entries()) {
    e.op(w.end);
    writeBlock({ e, program, index, block, stack: createStack() });
  }
  // This point is never reached, because no block falls through to it.
  e.op(w.end, 0x00, w.end);
  e.fail(failures.invalidJump);
  e.op(w.end);
  pushStackPointer(e, 0);
  e.putGlobal("sp");
  e.gas();
  e.putGlobal("gas");
  putProgramCounter(e);
  e.i32(reasons.doubt);
}

function writeEntry(e: Emitter): void {
  e.get(local.sp);
  e.i32(e.bias);
  e.op(w.i32Sub);
  e.set(local.sp);
  for (const [into, field] of [
    [local.memory, frame.memory],
    [local.stack, frame.stack],
  ] as const) {
    e.get(local.frame);
    e.load("i32", field);
    e.set(into);
  }
  e.get(local.frame);
  e.load("i32", frame.code);
  e.load("i32", codeAt.places);
  e.set(local.places);
  e.global("memorySize");
  e.set(local.memorySize);
}

function pushStackPointer(e: Emitter, top: number): void {
  e.get(local.sp);
  e.i32(e.bias + top * wordBytes);
  e.op(w.i32Add);
}

/**
 * Sets the machine's program counter, which is an address in memory. `local.number` contains the offset in the code.
 */
function putProgramCounter(e: Emitter): void {
  e.get(local.frame);
  e.load("i32", frame.code);
  e.get(local.number);
  e.op(w.i32Add);
  e.i32(codeBytes);
  e.op(w.i32Add);
  e.putGlobal("pc");
}

function writeBlock(at: Place): void {
  const { e, block, stack } = at;
  for (const segment of block.segments) {
    writeCheck(at, segment);
    for (const instruction of segment.instructions) {
      // Counts one step for the instruction, and one for each word that `release()` has to go through afterward.
      e.spend(1 + stack.items.size);
      if (!writeInstruction(at, instruction)) return;
      e.release(stack.items.values());
    }
  }
  // Falls through to the next block, which begins with a jump destination.
  flush(e, stack);
  moveStackPointer(e, stack.top);
  const next = at.program.indexes.get(block.next!);
  e.release([]);
  if (next !== at.index + 1) throw new Error("The next block does not follow this one.");
}

/**
 * Pays for the segment if there's enough gas and the stack stays within its bounds. Otherwise, leaves the outcome to
 * the interpreter.
 */
function writeCheck(at: Place, segment: Segment): void {
  const { e, stack } = at;
  if (segment.instructions[0]!.opcode.kind === "unknown") return;
  const isBounded = segment.need <= stack.need && segment.growth <= stack.growth;
  if (segment.gas === 0 && isBounded) return;
  stack.need = Math.max(stack.need, segment.need);
  stack.growth = Math.max(stack.growth, segment.growth);
  if (segment.gas > 0) {
    e.get(local.left);
    e.i64(BigInt(segment.gas));
    e.op(w.i64LtS);
  }
  if (!isBounded) {
    writeBounds(e, stack);
    if (segment.gas > 0) e.op(w.i32Or);
  }
  e.open("if");
  leaveInDoubt({ ...at, stack: copyStack(stack) }, segment.instructions[0]!.pc);
  e.close();
  if (segment.gas === 0) return;
  e.get(local.left);
  e.i64(BigInt(segment.gas));
  e.op(w.i64Sub);
  e.set(local.left);
}

/** Tests whether the stack is too low or too high for the code that follows. */
function writeBounds(e: Emitter, { need, growth }: Stack): void {
  const most = maxWords - growth - need;
  if (most < 0) {
    e.i32(1);
    return;
  }
  // One unsigned comparison checks both bounds, because a negative value becomes a very large number.
  pushStackPointer(e, 1 - need);
  e.get(local.stack);
  e.op(w.i32Sub);
  e.i32(most * wordBytes);
  e.op(w.i32GtU);
}

function leaveInDoubt({ e, program, index, stack }: Place, pc: number): void {
  flush(e, stack);
  moveStackPointer(e, stack.top);
  e.i32(pc);
  e.set(local.number);
  e.br(e.nesting + program.blocks.length - index + 1);
}

function moveStackPointer(e: Emitter, top: number): void {
  if (top === 0) return;
  e.get(local.sp);
  e.i32(top * wordBytes);
  e.op(w.i32Add);
  e.set(local.sp);
}

/** Returns false if the block has ended. */
function writeInstruction(at: Place, instruction: Instruction): boolean {
  const { e, stack, program } = at;
  const { op, opcode, pc } = instruction;
  switch (opcode.kind) {
    case "unknown":
      leaveInDoubt(at, pc);
      return false;
    case "end":
      writeEnd(at, op);
      return false;
    case "call":
    case "step":
      return writeStep(at, instruction);
  }
  if (op === 0x56) {
    jump(at, pop(stack));
    return false;
  }
  if (op === 0x57) return jumpIf(at);
  translate(e, stack, program, instruction);
  return true;
}

function writeEnd({ e, stack }: Place, op: number): void {
  e.gas();
  e.putGlobal("gas");
  if (op === 0x00) {
    e.i32(0);
    e.putGlobal("returnLength");
    e.i32(reasons.done);
    e.op(w.return);
    return;
  }
  // Only writes the operands, because the words below them aren't needed anymore.
  flush(e, stack, stack.top - 1);
  pushStackPointer(e, stack.top);
  e.putGlobal("sp");
  e.i32(op);
  e.machine("leave");
  e.op(w.return);
}

/** Writes the stack to memory and lets the machine run the opcode. */
function writeStep({ e, stack }: Place, { op, opcode, next }: Instruction): boolean {
  flush(e, stack);
  pushStackPointer(e, stack.top);
  e.putGlobal("sp");
  e.gas();
  e.putGlobal("gas");
  if (opcode.kind === "call") {
    e.i32(next);
    e.set(local.number);
    putProgramCounter(e);
  }
  e.i32(op);
  e.machine("step");
  if (opcode.kind === "call") {
    e.op(w.return);
    return false;
  }
  e.tee(local.number);
  e.open("if");
  e.get(local.number);
  e.op(w.return);
  e.close();
  e.global("gas");
  e.get(local.floor);
  e.op(w.i64Sub);
  e.set(local.left);
  e.global("memorySize");
  e.set(local.memorySize);
  for (let i = 0; i < opcode.pops; i++) pop(stack);
  for (let i = 0; i < opcode.pushes; i++) pushFromMachine(stack);
  return true;
}

function jump(at: Place, target: Word): void {
  const { e, program, index, stack } = at;
  const known = toNumber(target);
  if (known !== undefined) {
    const to = known < BigInt(program.length) ? program.indexes.get(Number(known)) : undefined;
    if (to === undefined || !program.blocks[to]!.isJumpTarget) {
      e.fail(failures.invalidJump);
      return;
    }
    flush(e, stack);
    moveStackPointer(e, stack.top);
    if (to > index) e.br(e.nesting + to - index - 1);
    else {
      e.i32(to);
      e.set(local.place);
      e.br(e.nesting + program.blocks.length - index - 1);
    }
    return;
  }
  jumpAnywhere(at, e.readAll(target));
}

function jumpAnywhere({ e, program, index, stack }: Place, [low, ...upper]: readonly [Value, ...Value[]]): void {
  const beyond = upper.reduce<Value>((sum, limb) => limbs.or(e, sum, limb), 0n);
  e.value(low);
  e.i64(BigInt(program.length - 1));
  e.op(w.i64GtU);
  if (beyond !== 0n) {
    e.value(beyond);
    e.i64(0n);
    e.op(w.i64Ne, w.i32Or);
  }
  e.open("if");
  e.fail(failures.invalidJump);
  e.close();
  e.get(local.places);
  e.value(low);
  e.op(w.wrap);
  e.i32(1);
  e.op(0x74, w.i32Add);
  e.load("u16AsI32", 0);
  e.set(local.place);
  flush(e, stack);
  moveStackPointer(e, stack.top);
  e.br(e.nesting + program.blocks.length - index - 1);
}

/** Returns false if the jump is unconditional. */
function jumpIf(at: Place): boolean {
  const { e, stack } = at;
  const target = pop(stack);
  const condition = pop(stack);
  const test = anyBit(e, condition);
  if (test === 0n) return true;
  if (typeof test === "bigint") {
    jump(at, target);
    return false;
  }
  if (toNumber(target) === undefined) e.readAll(target);
  // The jump, the code after it and the interpreter all need the words in memory.
  flush(e, stack);
  e.value(test);
  e.i64(0n);
  e.op(w.i64Ne);
  e.open("if");
  jump({ ...at, stack: copyStack(stack) }, target);
  e.close();
  return true;
}
