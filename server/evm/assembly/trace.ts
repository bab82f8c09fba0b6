/** Reports events in the traced build: copies the machine's values to shared memory, then calls the host. */
import { TRACED } from "./config";
import { enter, exit, step } from "./host";
import { returnBase, Status, STATUS } from "./layout";
import { C_BYTES } from "./codes";
import {
  depth,
  faultGas,
  faultOp,
  Frame,
  frame,
  gas,
  lastPc,
  memorySize,
  pc,
  Reason,
  refund,
  returnLength,
  sp,
} from "./machine";

/** Reports the frame's state before its next opcode runs. */
export function traceStep(op: u32): void {
  if (!TRACED) return;
  store<u32>(STATUS, <u32>(pc - <usize>load<u32>(frame, Frame.CODE) - C_BYTES), Status.PC);
  store<u32>(STATUS, <u32>sp, Status.SP);
  store<u32>(STATUS, load<u32>(frame, Frame.STACK), Status.STACK);
  store<u32>(STATUS, load<u32>(frame, Frame.MEMORY), Status.MEMORY);
  store<u32>(STATUS, <u32>memorySize, Status.MEMORY_SIZE);
  store<i32>(STATUS, depth, Status.DEPTH);
  store<u32>(STATUS, load<u32>(frame, Frame.SELF), Status.SELF);
  store<i64>(STATUS, gas, Status.FRAME_GAS);
  store<i64>(STATUS, refund, Status.REFUND);
  store<i64>(STATUS, -1, Status.COST);
  store<u32>(STATUS, <u32>returnBase, Status.RET_PTR);
  store<u32>(STATUS, returnLength, Status.RET_LEN);
  step(op);
}

/**
 * Records what a call or creation costs the calling frame. The cost of a call includes the gas passed on to it; the
 * cost of a creation doesn't.
 */
export function traceCost(cost: i64): void {
  if (TRACED) store<i64>(STATUS, cost, Status.COST);
}

export function traceEnter(
  kind: u32,
  from: usize,
  to: usize,
  value: usize,
  given: i64,
  input: usize,
  length: u32,
): void {
  if (!TRACED) return;
  store<u32>(STATUS, kind, Status.KIND);
  store<u32>(STATUS, <u32>from, Status.FROM);
  store<u32>(STATUS, <u32>to, Status.TO);
  store<u32>(STATUS, <u32>value, Status.VALUE);
  store<u32>(STATUS, <u32>input, Status.INPUT);
  store<u32>(STATUS, length, Status.INPUT_LEN);
  store<i64>(STATUS, given, Status.FRAME_GAS);
  store<i32>(STATUS, depth, Status.DEPTH);
  enter();
}

export function traceExit(reason: i32, left: i64, created: usize): void {
  if (!TRACED) return;
  const failure = reason == Reason.DONE ? 0 : reason;
  store<i64>(STATUS, left, Status.FRAME_GAS);
  store<i64>(STATUS, faultGas, Status.GAS);
  store<u32>(STATUS, <u32>lastPc, Status.PC);
  store<u32>(STATUS, <u32>created, Status.CREATED);
  store<u32>(STATUS, <u32>returnBase, Status.RET_PTR);
  store<u32>(STATUS, returnLength, Status.RET_LEN);
  store<u32>(STATUS, failure, Status.FAILURE);
  store<u32>(STATUS, faultOp, Status.FAULT_OP);
  exit(<u32>failure);
}
