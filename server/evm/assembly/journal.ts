/**
 * The journal of the old contents of changed records. Each entry ends with its kind and its record, so the journal can
 * be read backward. Undoing all entries above a mark, newest first, restores the state at the mark.
 */
import { full } from "./host";
import { journalBase, journalEnd, Region } from "./layout";
import { A_BALANCE, A_CODE, A_CODE_HASH, A_FLAGS, A_NONCE, LISTED, LOADED, T_FLAGS, T_STAMP, T_VALUE, TOUCHED } from "./state";
import { copy } from "./word";

const FLAGS: u32 = 1;
const BALANCE: u32 = 2;
const NONCE: u32 = 3;
const CODE: u32 = 4;
const SLOT: u32 = 5;
const SLOT_FLAGS: u32 = 6;

let top: usize = 0;
/** Identifies the running frame, so that the frame journals each slot only once. */
let stamp: u32 = 0;
let lastStamp: u32 = 0;

export function resetJournal(): void {
  top = journalBase;
  lastStamp = 0;
  stamp = 0;
}

/** The current end of the journal, which `undo` can return to. */
export function mark(): usize {
  return top;
}

/** Called when a frame starts. Gives it a new stamp and returns the previous frame's stamp, which useStamp restores. */
export function newStamp(): u32 {
  const before = stamp;
  stamp = ++lastStamp;
  return before;
}

export function useStamp(before: u32): void {
  stamp = before;
}

@inline
function close(size: usize, kind: u32, record: usize): void {
  store<u32>(top + size, kind);
  store<u32>(top + size, <u32>record, 4);
  top += size + 8;
}

@inline
function reserve(): void {
  // No entry is longer than this.
  if (top + 64 > journalEnd) full(Region.JOURNAL);
}

export function noteFlags(account: usize, before: u32): void {
  reserve();
  store<u32>(top, before);
  close(8, FLAGS, account);
}

export function noteBalance(account: usize): void {
  reserve();
  copy(top, account + A_BALANCE);
  close(32, BALANCE, account);
}

export function noteNonce(account: usize): void {
  reserve();
  store<u64>(top, load<u64>(account, A_NONCE));
  close(8, NONCE, account);
}

export function noteCode(account: usize): void {
  reserve();
  copy(top, account + A_CODE_HASH);
  store<u32>(top, load<u32>(account, A_CODE), 32);
  close(40, CODE, account);
}

export function noteSlot(slot: usize): void {
  if (load<u32>(slot, T_STAMP) == stamp) return;
  store<u32>(slot, stamp, T_STAMP);
  reserve();
  copy(top, slot + T_VALUE);
  close(32, SLOT, slot);
}

export function noteSlotFlags(slot: usize, before: u32): void {
  reserve();
  store<u32>(top, before);
  close(8, SLOT_FLAGS, slot);
}

export function undo(to: usize): void {
  while (top > to) {
    const kind = load<u32>(top - 8);
    const record = <usize>load<u32>(top - 4);
    if (kind == FLAGS) {
      top -= 16;
      const now = load<u32>(record, A_FLAGS);
      // This may mark the account as not loaded. Loading it again gives the same values.
      let before = load<u32>(top) | (now & LISTED);
      // EIP-161, with mainnet's exception from block 2,675,119: address 3 stays touched even if the call to it failed.
      if (load<u64>(record) == 3 && load<u64>(record, 8) == 0 && load<u64>(record, 16) == 0) before |= now & TOUCHED;
      store<u32>(record, before, A_FLAGS);
    } else if (kind == BALANCE) {
      top -= 40;
      copy(record + A_BALANCE, top);
    } else if (kind == NONCE) {
      top -= 16;
      store<u64>(record, load<u64>(top), A_NONCE);
    } else if (kind == CODE) {
      top -= 48;
      copy(record + A_CODE_HASH, top);
      store<u32>(record, load<u32>(top, 32), A_CODE);
    } else if (kind == SLOT) {
      top -= 40;
      copy(record + T_VALUE, top);
      store<u32>(record, 0, T_STAMP);
    } else {
      top -= 16;
      store<u32>(record, load<u32>(top) | (load<u32>(record, T_FLAGS) & LOADED), T_FLAGS);
    }
  }
}
