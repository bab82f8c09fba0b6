/**
 * Events of the traced build: what the host cannot see from outside is put where it can read it, then it is called.
 */
import { TRACED } from "./config";
import { enter, exit, step } from "./host";
import {
  S_COST,
  S_CREATED,
  S_DEPTH,
  S_FAILURE,
  S_FAULT_OP,
  S_FRAME_GAS,
  S_FROM,
  S_GAS,
  S_INPUT,
  S_INPUT_LEN,
  S_KIND,
  S_MEMORY,
  S_MEMORY_SIZE,
  S_PC,
  S_REFUND,
  S_RET_LEN,
  S_RET_PTR,
  S_SELF,
  S_SP,
  S_STACK,
  S_TO,
  S_VALUE,
  returnBase,
  STATUS,
} from "./layout";
import { C_BYTES } from "./codes";
import {
  DONE,
  depth,
  F_CODE,
  F_MEMORY,
  F_SELF,
  F_STACK,
  faultGas,
  faultOp,
  frame,
  gas,
  lastPc,
  memorySize,
  pc,
  refund,
  returnLength,
  sp,
} from "./machine";

/** The frame before its next opcode. */
export function traceStep(op: u32): void {
  if (!TRACED) return;
  store<u32>(STATUS, <u32>(pc - <usize>load<u32>(frame, F_CODE) - C_BYTES), S_PC);
  store<u32>(STATUS, <u32>sp, S_SP);
  store<u32>(STATUS, load<u32>(frame, F_STACK), S_STACK);
  store<u32>(STATUS, load<u32>(frame, F_MEMORY), S_MEMORY);
  store<u32>(STATUS, <u32>memorySize, S_MEMORY_SIZE);
  store<i32>(STATUS, depth, S_DEPTH);
  store<u32>(STATUS, load<u32>(frame, F_SELF), S_SELF);
  store<i64>(STATUS, gas, S_FRAME_GAS);
  store<i64>(STATUS, refund, S_REFUND);
  store<i64>(STATUS, -1, S_COST);
  store<u32>(STATUS, <u32>returnBase, S_RET_PTR);
  store<u32>(STATUS, returnLength, S_RET_LEN);
  step(op);
}

/** What a call or creation takes from its frame, the gas it hands on included for a call and not for a creation. */
export function traceCost(cost: i64): void {
  if (TRACED) store<i64>(STATUS, cost, S_COST);
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
  store<u32>(STATUS, kind, S_KIND);
  store<u32>(STATUS, <u32>from, S_FROM);
  store<u32>(STATUS, <u32>to, S_TO);
  store<u32>(STATUS, <u32>value, S_VALUE);
  store<u32>(STATUS, <u32>input, S_INPUT);
  store<u32>(STATUS, length, S_INPUT_LEN);
  store<i64>(STATUS, given, S_FRAME_GAS);
  store<i32>(STATUS, depth, S_DEPTH);
  enter();
}

export function traceExit(reason: i32, left: i64, created: usize): void {
  if (!TRACED) return;
  const failure = reason == DONE ? 0 : reason;
  store<i64>(STATUS, left, S_FRAME_GAS);
  store<i64>(STATUS, faultGas, S_GAS);
  store<u32>(STATUS, <u32>lastPc, S_PC);
  store<u32>(STATUS, <u32>created, S_CREATED);
  store<u32>(STATUS, <u32>returnBase, S_RET_PTR);
  store<u32>(STATUS, returnLength, S_RET_LEN);
  store<u32>(STATUS, failure, S_FAILURE);
  store<u32>(STATUS, faultOp, S_FAULT_OP);
  exit(<u32>failure);
}
