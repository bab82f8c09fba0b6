/**
 * The opcode loop: one function that keeps the program counter, stack pointer and gas in locals, because a function
 * call for each opcode would cost more than most opcodes do. Rare opcodes run in other files and use shared registers.
 * The loop returns when the frame ends, makes a call or has used up its slice.
 */
import { access } from "./access";
import { analyse, C_BITMAP, C_BYTES, C_LENGTH, C_TIER } from "./codes";
import { TRACED } from "./config";
import { environment } from "./environment";
import { keccak } from "./keccak";
import { WATCH } from "./layout";
import {
  expand,
  Fork,
  fork,
  Frame,
  frame,
  gas as sharedGas,
  keepReturn,
  memorySize as sharedMemorySize,
  noteLookAtGas,
  reach,
  Reason,
  setFaultGas,
  setFaultOp,
  setGas,
  setLastPc,
  setMemorySize,
  setPc,
  setReturnLength,
  setSp,
  slice as sharedSlice,
  sp as sharedSp,
} from "./machine";
import { traceStep } from "./trace";
import {
  add,
  addmod,
  bits,
  copy,
  div,
  exp,
  fromBytes,
  isBelow,
  isBelowSigned,
  isSame,
  isWide,
  isZero,
  mod,
  mul,
  mulmod,
  put,
  sdiv,
  shl,
  shr,
  signExtend,
  small,
  smod,
  sub,
  toBytes,
} from "./word";

/** No memory extends this far; see `expand`. */
const FAR: u64 = 0x4000_0000;

@inline
function outOfGas(gas: i64): i32 {
  if (TRACED) setFaultGas(gas);
  return Reason.OUT_OF_GAS;
}

@inline
function fault(reason: i32, gas: i64): i32 {
  if (TRACED) setFaultGas(gas);
  return reason;
}

/** Writes a PUSH operand of 1 to 32 bytes to the stack as a word. */
function push(at: usize, from: usize, count: u32): void {
  put(at, limb(from, count, 0), limb(from, count, 8), limb(from, count, 16), limb(from, count, 24));
}

@inline
function limb(from: usize, count: u32, place: u32): u64 {
  if (count <= place) return 0;
  const value = bswap(load<u64>(from + count - place - 8));
  const own = count - place;
  return own >= 8 ? value : value & (((<u64>1) << (own << 3)) - 1);
}

/** Runs the frame until it ends, makes a call or creation, has used up its slice, or can continue in compiled code. */
export function interpret(): i32 {
  let pc: usize = <usize>load<u32>(frame, Frame.PC);
  let sp: usize = <usize>load<u32>(frame, Frame.SP);
  let gas: i64 = load<i64>(frame, Frame.GAS);
  const stack: usize = <usize>load<u32>(frame, Frame.STACK);
  const full: usize = stack + 1023 * 32;
  const memoryBase: usize = <usize>load<u32>(frame, Frame.MEMORY);
  let memorySize: u64 = <u64>load<u32>(frame, Frame.MEMORY_SIZE);
  setMemorySize(memorySize);
  const entry: usize = <usize>load<u32>(frame, Frame.CODE);
  const code: usize = entry + C_BYTES;
  const codeLength: u64 = <u64>load<u32>(entry, C_LENGTH);
  let bitmap: usize = <usize>load<u32>(entry, C_BITMAP);
  // If the gas falls below this, the frame pauses. This is checked at backward jumps and after opcodes that may take
  // long.
  const slice: i64 = sharedSlice;
  // If the code has been compiled, the loop ends at the next jump, so that the frame can continue in the compiled code.
  const leave: i64 = !TRACED && load<u32>(entry, C_TIER) != 0 ? i64.MAX_VALUE : slice;

  while (true) {
    const op = <u32>load<u8>(pc);
    if (TRACED) {
      setLastPc(pc - code);
      if (load<u8>(WATCH + op) != 0) {
        setPc(pc);
        setSp(sp);
        setGas(gas);
        traceStep(op);
      }
    }
    pc++;
    switch (op) {
      case 0x00: {
        setGas(gas);
        setReturnLength(0);
        return Reason.DONE;
      }
      case 0x01: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        add(sp, sp + 32, sp);
        break;
      }
      case 0x02: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        mul(sp, sp + 32, sp);
        break;
      }
      case 0x03: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        sub(sp, sp + 32, sp);
        break;
      }
      case 0x04: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        div(sp, sp + 32, sp);
        break;
      }
      case 0x05: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        sdiv(sp, sp + 32, sp);
        break;
      }
      case 0x06: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        mod(sp, sp + 32, sp);
        break;
      }
      case 0x07: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        smod(sp, sp + 32, sp);
        break;
      }
      case 0x08: {
        if (sp < stack + 64) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 8) < 0) return outOfGas(gas);
        sp -= 64;
        addmod(sp, sp + 64, sp + 32, sp);
        break;
      }
      case 0x09: {
        if (sp < stack + 64) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 8) < 0) return outOfGas(gas);
        sp -= 64;
        mulmod(sp, sp + 64, sp + 32, sp);
        break;
      }
      case 0x0a: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        const bytes: i64 = <i64>((bits(sp - 32) + 7) >> 3);
        // EIP-160
        gas -= 10 + bytes * (fork >= Fork.SPURIOUS ? 50 : 10);
        if (gas < 0) return outOfGas(gas);
        sp -= 32;
        exp(sp, sp + 32, sp);
        if (gas < slice) {
          setPc(pc);
          setSp(sp);
          setGas(gas);
          return Reason.YIELDED;
        }
        break;
      }
      case 0x0b: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        sp -= 32;
        signExtend(sp, sp + 32, sp);
        break;
      }
      case 0x10: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        small(sp, u64(isBelow(sp + 32, sp)));
        break;
      }
      case 0x11: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        small(sp, u64(isBelow(sp, sp + 32)));
        break;
      }
      case 0x12: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        small(sp, u64(isBelowSigned(sp + 32, sp)));
        break;
      }
      case 0x13: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        small(sp, u64(isBelowSigned(sp, sp + 32)));
        break;
      }
      case 0x14: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        small(sp, u64(isSame(sp, sp + 32)));
        break;
      }
      case 0x15: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        small(sp, u64(isZero(sp)));
        break;
      }
      case 0x16: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        store<u64>(sp, load<u64>(sp) & load<u64>(sp, 32));
        store<u64>(sp, load<u64>(sp, 8) & load<u64>(sp, 40), 8);
        store<u64>(sp, load<u64>(sp, 16) & load<u64>(sp, 48), 16);
        store<u64>(sp, load<u64>(sp, 24) & load<u64>(sp, 56), 24);
        break;
      }
      case 0x17: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        store<u64>(sp, load<u64>(sp) | load<u64>(sp, 32));
        store<u64>(sp, load<u64>(sp, 8) | load<u64>(sp, 40), 8);
        store<u64>(sp, load<u64>(sp, 16) | load<u64>(sp, 48), 16);
        store<u64>(sp, load<u64>(sp, 24) | load<u64>(sp, 56), 24);
        break;
      }
      case 0x18: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        store<u64>(sp, load<u64>(sp) ^ load<u64>(sp, 32));
        store<u64>(sp, load<u64>(sp, 8) ^ load<u64>(sp, 40), 8);
        store<u64>(sp, load<u64>(sp, 16) ^ load<u64>(sp, 48), 16);
        store<u64>(sp, load<u64>(sp, 24) ^ load<u64>(sp, 56), 24);
        break;
      }
      case 0x19: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        put(sp, ~load<u64>(sp), ~load<u64>(sp, 8), ~load<u64>(sp, 16), ~load<u64>(sp, 24));
        break;
      }
      case 0x1a: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        const place = load<u64>(sp, 32);
        small(sp, isWide(sp + 32) || place > 31 ? 0 : <u64>load<u8>(sp + 31 - <usize>place));
        break;
      }
      case 0x1b: {
        if (fork < Fork.CONSTANTINOPLE) {
          setFaultOp(op);
          return fault(Reason.BAD_OPCODE, gas);
        }
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        shl(sp, sp + 32, sp);
        break;
      }
      case 0x1c:
      case 0x1d: {
        if (fork < Fork.CONSTANTINOPLE) {
          setFaultOp(op);
          return fault(Reason.BAD_OPCODE, gas);
        }
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp -= 32;
        shr(sp, sp + 32, sp, op == 0x1d);
        break;
      }
      case 0x1e: {
        // EIP-7939
        if (fork < Fork.OSAKA) {
          setFaultOp(op);
          return fault(Reason.BAD_OPCODE, gas);
        }
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 5) < 0) return outOfGas(gas);
        small(sp, <u64>(256 - bits(sp)));
        break;
      }
      case 0x20: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 30) < 0) return outOfGas(gas);
        const size = load<u64>(sp - 32);
        if (isWide(sp - 32) || size > FAR) return outOfGas(-1);
        gas -= <i64>(6 * ((size + 31) >> 5));
        if (gas < 0) return outOfGas(gas);
        const offset = load<u64>(sp);
        if (size != 0) {
          if (isWide(sp) || offset > FAR) return outOfGas(-1);
          if (offset + size > memorySize) {
            gas = expand(gas, memoryBase, offset + size);
            if (gas < 0) return outOfGas(gas);
            memorySize = sharedMemorySize;
          }
        }
        sp -= 32;
        // If the length is zero, nothing is read, whatever the offset.
        keccak(sp, size == 0 ? memoryBase : memoryBase + <usize>offset, <u32>size);
        fromBytes(sp, sp);
        if (gas < slice) {
          setPc(pc);
          setSp(sp);
          setGas(gas);
          return Reason.YIELDED;
        }
        break;
      }
      case 0x35: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        const offset = load<u64>(sp);
        const length = <u64>load<u32>(frame, Frame.INPUT_LEN);
        if (isWide(sp) || offset >= length) small(sp, 0);
        else {
          const from = <usize>load<u32>(frame, Frame.INPUT) + <usize>offset;
          if (offset + 32 <= length) fromBytes(sp, from);
          else {
            small(sp, 0);
            memory.copy(sp, from, <usize>(length - offset));
            fromBytes(sp, sp);
          }
        }
        break;
      }
      case 0x50: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 2) < 0) return outOfGas(gas);
        sp -= 32;
        break;
      }
      case 0x51: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        const offset = load<u64>(sp);
        if (isWide(sp) || offset > FAR) return outOfGas(-1);
        if (offset + 32 > memorySize) {
          gas = expand(gas, memoryBase, offset + 32);
          if (gas < 0) return outOfGas(gas);
          memorySize = sharedMemorySize;
        }
        fromBytes(sp, memoryBase + <usize>offset);
        break;
      }
      case 0x52: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        const offset = load<u64>(sp);
        if (isWide(sp) || offset > FAR) return outOfGas(-1);
        if (offset + 32 > memorySize) {
          gas = expand(gas, memoryBase, offset + 32);
          if (gas < 0) return outOfGas(gas);
          memorySize = sharedMemorySize;
        }
        toBytes(memoryBase + <usize>offset, sp - 32);
        sp -= 64;
        break;
      }
      case 0x53: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        const offset = load<u64>(sp);
        if (isWide(sp) || offset > FAR) return outOfGas(-1);
        if (offset + 1 > memorySize) {
          gas = expand(gas, memoryBase, offset + 1);
          if (gas < 0) return outOfGas(gas);
          memorySize = sharedMemorySize;
        }
        store<u8>(memoryBase + <usize>offset, load<u8>(sp - 32));
        sp -= 64;
        break;
      }
      case 0x56: {
        if (sp < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 8) < 0) return outOfGas(gas);
        const to = load<u64>(sp);
        if (isWide(sp) || to >= codeLength) return fault(Reason.BAD_JUMP, gas);
        if (bitmap == 0) bitmap = analyse(entry);
        if (((<u32>load<u8>(bitmap + (<usize>to >> 3)) >> (<u32>to & 7)) & 1) == 0) return fault(Reason.BAD_JUMP, gas);
        sp -= 32;
        pc = code + <usize>to;
        if (gas < leave) {
          setPc(pc);
          setSp(sp);
          setGas(gas);
          return gas < slice ? Reason.YIELDED : Reason.REENTERED;
        }
        break;
      }
      case 0x57: {
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 10) < 0) return outOfGas(gas);
        sp -= 64;
        if (isZero(sp + 32)) break;
        const to = load<u64>(sp, 64);
        if (isWide(sp + 64) || to >= codeLength) return fault(Reason.BAD_JUMP, gas);
        if (bitmap == 0) bitmap = analyse(entry);
        if (((<u32>load<u8>(bitmap + (<usize>to >> 3)) >> (<u32>to & 7)) & 1) == 0) return fault(Reason.BAD_JUMP, gas);
        pc = code + <usize>to;
        if (gas < leave) {
          setPc(pc);
          setSp(sp);
          setGas(gas);
          return gas < slice ? Reason.YIELDED : Reason.REENTERED;
        }
        break;
      }
      case 0x58: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 2) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, <u64>(pc - code - 1));
        break;
      }
      case 0x59: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 2) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, memorySize);
        break;
      }
      case 0x5a: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 2) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, <u64>gas);
        noteLookAtGas();
        break;
      }
      case 0x5b: {
        if ((gas -= 1) < 0) return outOfGas(gas);
        break;
      }
      case 0x5f: {
        // EIP-3855
        if (fork < Fork.SHANGHAI) {
          setFaultOp(op);
          return fault(Reason.BAD_OPCODE, gas);
        }
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 2) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, 0);
        break;
      }
      case 0x60: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, <u64>load<u8>(pc));
        pc += 1;
        break;
      }
      case 0x61: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp += 32;
        small(sp, (<u64>load<u8>(pc) << 8) | <u64>load<u8>(pc, 1));
        pc += 2;
        break;
      }
      case 0x62:
      case 0x63:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0x68:
      case 0x69:
      case 0x6a:
      case 0x6b:
      case 0x6c:
      case 0x6d:
      case 0x6e:
      case 0x6f:
      case 0x70:
      case 0x71:
      case 0x72:
      case 0x73:
      case 0x74:
      case 0x75:
      case 0x76:
      case 0x77:
      case 0x78:
      case 0x79:
      case 0x7a:
      case 0x7b:
      case 0x7c:
      case 0x7d:
      case 0x7e:
      case 0x7f: {
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp += 32;
        push(sp, pc, op - 0x5f);
        pc += op - 0x5f;
        break;
      }
      case 0x80:
      case 0x81:
      case 0x82:
      case 0x83:
      case 0x84:
      case 0x85:
      case 0x86:
      case 0x87:
      case 0x88:
      case 0x89:
      case 0x8a:
      case 0x8b:
      case 0x8c:
      case 0x8d:
      case 0x8e:
      case 0x8f: {
        const from = sp - ((op - 0x80) << 5);
        if (from < stack) return fault(Reason.UNDERFLOW, gas);
        if (sp == full) return fault(Reason.OVERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        sp += 32;
        copy(sp, from);
        break;
      }
      case 0x90:
      case 0x91:
      case 0x92:
      case 0x93:
      case 0x94:
      case 0x95:
      case 0x96:
      case 0x97:
      case 0x98:
      case 0x99:
      case 0x9a:
      case 0x9b:
      case 0x9c:
      case 0x9d:
      case 0x9e:
      case 0x9f: {
        const other = sp - ((op - 0x8f) << 5);
        if (other < stack) return fault(Reason.UNDERFLOW, gas);
        if ((gas -= 3) < 0) return outOfGas(gas);
        const l0 = load<u64>(sp);
        const l1 = load<u64>(sp, 8);
        const l2 = load<u64>(sp, 16);
        const l3 = load<u64>(sp, 24);
        copy(sp, other);
        put(other, l0, l1, l2, l3);
        break;
      }
      case 0xf3:
      case 0xfd: {
        if (op == 0xfd && fork < Fork.BYZANTIUM) {
          setFaultOp(op);
          return fault(Reason.BAD_OPCODE, gas);
        }
        if (sp < stack + 32) return fault(Reason.UNDERFLOW, gas);
        setGas(gas);
        if (!reach(sp, sp - 32)) return outOfGas(sharedGas);
        const size = <u32>load<u64>(sp - 32);
        if (size == 0) setReturnLength(0);
        else keepReturn(memoryBase + <usize>load<u64>(sp), size);
        return op == 0xf3 ? Reason.DONE : Reason.REVERTED;
      }
      default: {
        setPc(pc);
        setSp(sp);
        setGas(gas);
        // Opcodes below 0x50 and MCOPY read the environment. The other opcodes access accounts, slots or logs.
        const ended = op < 0x50 || op == 0x5e ? environment(op) : access(op);
        if (ended != 0) {
          if (ended == Reason.WANTS_CALL || ended == Reason.WANTS_CREATE) return ended;
          return fault(ended, sharedGas);
        }
        gas = sharedGas;
        if (gas < slice) return Reason.YIELDED;
        sp = sharedSp;
        memorySize = sharedMemorySize;
      }
    }
  }
  return Reason.DONE;
}
