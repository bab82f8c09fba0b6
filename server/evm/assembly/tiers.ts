/**
 * Chooses how a frame runs: in the interpreter, or in compiled code if the frame's code has run often. Both keep a
 * frame's registers in the same form, so a frame can switch wherever compiled code can begin. Traced frames and init
 * code are always interpreted.
 */
import { C_BYTES, C_HEAT, C_PLACES, C_TIER, NEVER } from "./codes";
import { access } from "./access";
import { TRACED } from "./config";
import { environment } from "./environment";
import { suspend } from "./frames";
import { hot } from "./host";
import { interpret } from "./interpreter";
import { Status, STATUS } from "./layout";
import {
  bounded,
  Frame,
  frame,
  keepReturn,
  reach,
  Reason,
  setMemorySize,
  setReturnLength,
  setSlice,
  slice,
  sp,
} from "./machine";
import { fromBytes, small } from "./word";

/** The heat that code gains when one of its frames uses up its slice in the interpreter. */
const HEAT_OF_SLICE: u32 = 1_000;
/**
 * In the table of entry points, this value marks a program counter where compiled code can't begin. The next higher bit
 * marks places that frames can enter but jumps can't.
 */
const NOWHERE: u32 = 0x7fff;

let heatLimit: u32 = NEVER;

/** Sets the heat at which code is compiled. With `NEVER`, no code is compiled. */
export function setHeatLimit(limit: u32): void {
  heatLimit = limit;
}

/** Runs the frame until it ends, makes a call or creation, or has used up its slice. */
export function runFrame(): i32 {
  // If the gas falls below this, the frame pauses. This is checked at backward jumps and after opcodes that may take
  // long.
  setSlice(load<i64>(frame, Frame.GAS) - <i64>load<i32>(STATUS, Status.SLICE));
  if (TRACED) return interpret();
  while (true) {
    const entry = <usize>load<u32>(frame, Frame.CODE);
    if (load<u32>(entry, C_TIER) != 0 || isHot(entry)) {
      const reason = runCompiled(entry);
      if (reason != Reason.DOUBT) return reason;
    }
    const reason = interpret();
    if (reason == Reason.YIELDED) warm(entry, HEAT_OF_SLICE);
    if (reason != Reason.REENTERED) return reason;
    suspend();
  }
}

@inline
function warm(entry: usize, by: u32): void {
  const heat = load<u32>(entry, C_HEAT);
  if (heat < heatLimit) store<u32>(entry, heat + by, C_HEAT);
}

/** Adds heat. When the limit is reached, asks the host to compile the code. Returns true if there is compiled code. */
@inline
function isHot(entry: usize): bool {
  const heat = load<u32>(entry, C_HEAT);
  if (heat < heatLimit) {
    store<u32>(entry, heat + 1, C_HEAT);
    return false;
  }
  if (heat == NEVER) return false;
  hot(entry);
  return load<u32>(entry, C_TIER) != 0;
}

function runCompiled(entry: usize): i32 {
  store<u32>(entry, 1, C_HEAT);
  const at = <usize>load<u32>(frame, Frame.PC) - entry - C_BYTES;
  const place = <u32>load<u16>(<usize>load<u32>(entry, C_PLACES) + (at << 1)) & 0x7fff;
  if (place == NOWHERE) return Reason.DOUBT;
  const floor: i64 = slice > 0 ? slice : 0;
  const sp = <usize>load<u32>(frame, Frame.SP);
  setMemorySize(<u64>load<u32>(frame, Frame.MEMORY_SIZE));
  const reason = call_indirect<i32>(load<u32>(entry, C_TIER), frame, sp, place, load<i64>(frame, Frame.GAS) - floor, floor);
  if (reason == Reason.DOUBT) suspend();
  return reason;
}

/** Runs an opcode for which compiled code calls the machine. Uses the shared registers; see `interpret()`. */
export function step(op: u32): i32 {
  return op < 0x50 || op == 0x5e ? environment(op) : access(op);
}

/** Runs RETURN or REVERT. The operands are on top of the stack. */
export function leave(op: u32): i32 {
  if (!reach(sp, sp - 32)) return Reason.OUT_OF_GAS;
  const size = <u32>load<u64>(sp - 32);
  if (size == 0) setReturnLength(0);
  else keepReturn(<usize>load<u32>(frame, Frame.MEMORY) + <usize>load<u64>(sp), size);
  return op == 0xf3 ? Reason.DONE : Reason.REVERTED;
}

/** Reads the word at this offset in the call's input. Bytes beyond the end of the input are zero. */
export function callDataWord(to: usize, offset: usize): void {
  const from = bounded(offset);
  const length = <u64>load<u32>(frame, Frame.INPUT_LEN);
  small(to, 0);
  if (from >= length) return;
  const rest = length - from;
  memory.copy(to, <usize>load<u32>(frame, Frame.INPUT) + <usize>from, <usize>(rest < 32 ? rest : 32));
  fromBytes(to, to);
}
