/**
 * Compiles a contract's code to a WebAssembly module with one function, which can start at any of the code's blocks.
 * The function behaves exactly like the interpreter with one fork's rules.
 */
import { findBlocks } from "@/server/evm/tier/blocks";
import { writeProgram } from "@/server/evm/tier/control";
import { createEmitter, fixedLocals, machineImports, TooLargeError, wordBytes } from "@/server/evm/tier/emitter";
import { createMul, createMulHigh } from "@/server/evm/tier/multiplication";
import { i32, i64, toModule } from "@/server/evm/tier/wasm";

export type CompiledCode = {
  module: Uint8Array<ArrayBuffer>;
  /**
   * For each program counter, the number of the block that begins there, or `nowhere`. If the bit `onlyFrames` is set,
   * frames may enter there but jumps may not.
   */
  places: Uint16Array;
};

const nowhere = 0xffff;
const onlyFrames = 0x8000;
/** There is a limit because the WebAssembly engine's compile time grows with the square of the number of blocks. */
const maxBlocks = 3_000;

/** Throws TooLargeError if the module would exceed `maxBytes`. `level` is the fork's number in the machine. */
export function compileCode(code: Uint8Array, level: number, maxBytes: number): CompiledCode {
  const blocks = findBlocks(code, level);
  if (blocks.length > maxBlocks) throw new TooLargeError("The code has too many basic blocks.");
  const places = new Uint16Array(code.length + 1).fill(nowhere);
  for (const [index, { pc, isJumpTarget }] of blocks.entries()) places[pc] = isJumpTarget ? index : index | onlyFrames;
  const deepest = Math.max(1, ...blocks.flatMap(({ segments }) => segments.map(({ need }) => need)));
  const emitter = createEmitter((deepest - 1) * wordBytes, maxBytes);
  const indexes = new Map(blocks.map(({ pc }, index) => [pc, index]));
  writeProgram(emitter, { blocks, indexes, length: code.length, level });
  const run = {
    type: { params: [i32, i32, i32, i64, i64], results: [i32] },
    locals: [...fixedLocals, [i64, emitter.countLimbs()] as const],
    code: emitter.bytes(),
  };
  return { module: toModule(machineImports, [createMulHigh(), createMul(), run]), places };
}
