/**
 * What a run produces in addition to state changes: logs, and value transfers inside the transaction. If a frame fails,
 * both lists are cut back to the lengths that they had when the frame began.
 */
import { full } from "./host";
import { logBase, logEnd, Region, Status, STATUS, transferBase, transferEnd } from "./layout";
import { holds } from "./environment";
import { bounded, charge, Frame, frame, reach, Reason, setSp, sp } from "./machine";
import { copy, toBytes } from "./word";

export let logTop: usize = 0;
export let transferTop: usize = 0;

export function resetOutput(): void {
  logTop = logBase;
  transferTop = transferBase;
}

export function cutOutput(logs: usize, transfers: usize): void {
  logTop = logs;
  transferTop = transfers;
}

export function publishOutput(): void {
  store<u32>(STATUS, <u32>logTop, Status.LOG_END);
  store<u32>(STATUS, <u32>transferTop, Status.TRANSFER_END);
}

/**
 * Appends a log: its account, number of topics and data length, then the big-endian topics and the data, padded to
 * eight bytes.
 */
export function appendLog(topics: u32): i32 {
  if (!holds(2 + topics)) return Reason.UNDERFLOW;
  if (load<u32>(frame, Frame.STATIC) != 0) return Reason.WRITE_PROTECTION;
  const size = bounded(sp - 32);
  if (size > 0x4000_0000 || !charge(<i64>(375 + 375 * <u64>topics + 8 * size)) || !reach(sp, sp - 32))
    return Reason.OUT_OF_GAS;
  const whole: usize = 16 + <usize>topics * 32 + ((<usize>size + 7) & ~7);
  if (whole > logEnd - logTop) full(Region.LOGS);
  store<u32>(logTop, load<u32>(frame, Frame.SELF));
  store<u32>(logTop, topics, 4);
  store<u32>(logTop, <u32>size, 8);
  for (let i: usize = 0; i < <usize>topics; i++) toBytes(logTop + 16 + i * 32, sp - 64 - i * 32);
  const data = logTop + 16 + <usize>topics * 32;
  if (size != 0) memory.copy(data, <usize>load<u32>(frame, Frame.MEMORY) + <usize>load<u64>(sp), <usize>size);
  logTop += whole;
  setSp(sp - 64 - <usize>topics * 32);
  return Reason.RUNNING;
}

/** Appends a value transfer that a frame made, or a contract that it created. `kind` is the opcode. */
export function appendTransfer(kind: u32, from: usize, to: usize, value: usize): void {
  if (transferTop + 48 > transferEnd) full(Region.TRANSFERS);
  store<u32>(transferTop, kind);
  store<u32>(transferTop, <u32>from, 4);
  store<u32>(transferTop, <u32>to, 8);
  copy(transferTop + 16, value);
  transferTop += 48;
}
