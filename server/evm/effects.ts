/**
 * The effects of a run, read from the machine after the run has ended: output and gas, logs, value transfers inside the
 * run, and the accounts and slots that changed.
 */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { AccessList, Account, Address, Hash, InternalTransfer, Log } from "@/server/ethereum/types";
import type { Core } from "@/server/evm/host";
import {
  account as accountAt,
  accountFlags,
  codeBytes,
  scratch,
  slot as slotAt,
  slotIsLoaded,
  slotIsTransient,
  status,
} from "@/server/evm/layout";
import type { Run } from "@/server/evm/machine";
import type { View } from "@/server/evm/view";

type ChangedAccount = {
  address: Address;
  /** undefined if the account doesn't exist after the run. */
  account: Account | undefined;
  /**
   * Whether the account was called, paid or created. Since EIP-161, if a touched account is empty, it is removed after
   * the transaction.
   */
  isTouched: boolean;
  /** Whether the account will be removed after the transaction. */
  isDestructed: boolean;
  /** Code that isn't in the state yet. */
  code?: Uint8Array;
};

export type Effects = {
  /** The number of the failure in layout.ts; zero means success. */
  failure: number;
  /** The invalid opcode, if that caused the failure. */
  faultOp: number;
  gasLeft: bigint;
  refund: bigint;
  /**
   * The lowest gas limit that gives the same result. Like `gasLeft`, it doesn't include intrinsic gas. Undefined if the
   * code read how much gas was left, because a lower limit may then change the result.
   */
  gasNeeded: bigint | undefined;
  /** Return data, or revert data. */
  output: Uint8Array;
  logs: Log[];
  transfers: InternalTransfer[];
  accounts: ChangedAccount[];
  slots: { address: Address; slot: Hash; value: Hash }[];
  /** The accounts and slots that the run accessed, even in failed frames; undefined unless the run lists them. */
  accessed: AccessList | undefined;
  /** Inputs of console calls, including those from frames that reverted. Empty unless the run records them. */
  consoleCalls: Uint8Array[];
};

/** EIP-2200: SSTORE fails if this much gas or less is left. */
const storeSentry = 2_300n;

export function readEffects({ view, exports, consoleCalls }: Core, { gas: given, listing }: Run): Effects {
  const slots = readSlots(view, exports.showSlot);
  const gasLeft = view.long(status.gas);
  return {
    failure: view.number(status.failure),
    faultOp: view.number(status.faultOp),
    gasLeft,
    gasNeeded: view.number(status.looksAtGas) === 0 ? toNeeded(given, gasLeft, view.long(status.storeGas)) : undefined,
    refund: view.long(status.refund),
    output: view.copy(view.number(status.returnPointer), view.number(status.returnLength)),
    logs: readLogs(view),
    transfers: readTransfers(view),
    accounts: readAccounts(view),
    slots,
    accessed: listing ? readAccessed(view, exports.showSlot) : undefined,
    consoleCalls,
  };
}

/**
 * The gas used. If a limit of exactly that much would leave too little gas at an SSTORE (EIP-2200), adds the missing
 * gas.
 */
function toNeeded(given: bigint, left: bigint, atStore: bigint): bigint {
  const used = given - left;
  const short = storeSentry + 1n - (atStore - left);
  return short > 0n ? used + short : used;
}

const changedFlags = accountFlags.dirty | accountFlags.destructed;
const reported = changedFlags | accountFlags.touched;

function isEmpty(view: View, record: number): boolean {
  for (let at = record + accountAt.nonce; at < record + accountAt.codeHash; at += 4) {
    if (view.number(at) !== 0) return false;
  }
  return view.hex(record + accountAt.codeHash, 32) === emptyCodeHash;
}

function readAccounts(view: View): ChangedAccount[] {
  const changed: ChangedAccount[] = [];
  let record = view.number(status.accountBase);
  const end = record + view.number(status.accounts) * accountAt.bytes;
  for (; record < end; record += accountAt.bytes) {
    const flags = view.number(record + accountAt.flags);
    if ((flags & reported) === 0) continue;
    const exists = (flags & accountFlags.exists) !== 0;
    // Skips accounts that were only touched, unless they exist and are empty.
    if ((flags & changedFlags) === 0 && !(exists && isEmpty(view, record))) continue;
    const entry = (flags & accountFlags.newCode) === 0 ? 0 : view.number(record + accountAt.code);
    changed.push({
      address: view.addressOf(record),
      account: exists ? view.accountOf(record) : undefined,
      isTouched: (flags & accountFlags.touched) !== 0,
      isDestructed: (flags & accountFlags.destructed) !== 0,
      ...(entry === 0 ? {} : { code: view.copy(entry + codeBytes, view.number(entry)) }),
    });
  }
  return changed;
}

function readSlots(view: View, show: (slot: number) => void): Effects["slots"] {
  const changed: Effects["slots"] = [];
  let record = view.number(status.slotBase);
  const end = record + view.number(status.slots) * slotAt.bytes;
  for (; record < end; record += slotAt.bytes) {
    const owner = view.number(record + slotAt.account);
    const isRead = (view.number(record + slotAt.flags) & slotIsLoaded) !== 0;
    if (!isRead || owner >= slotIsTransient || view.isSame(record + slotAt.value, record + slotAt.original)) continue;
    show(record);
    changed.push({ address: view.addressOf(owner), slot: view.hex(scratch, 32), value: view.hex(scratch + 32, 32) });
  }
  return changed;
}

function readAccessed(view: View, show: (slot: number) => void): AccessList {
  const accessed = new Map<Address, Hash[]>();
  const end = view.number(status.accountBase) + view.number(status.accounts) * accountAt.bytes;
  for (let record = view.number(status.accountBase); record < end; record += accountAt.bytes) {
    if (view.number(record + accountAt.flags) & accountFlags.listed) accessed.set(view.addressOf(record), []);
  }
  const lastSlot = view.number(status.slotBase) + view.number(status.slots) * slotAt.bytes;
  for (let record = view.number(status.slotBase); record < lastSlot; record += slotAt.bytes) {
    const owner = view.number(record + slotAt.account);
    if (owner >= slotIsTransient || (view.number(record + slotAt.flags) & slotIsLoaded) === 0) continue;
    show(record);
    const address = view.addressOf(owner);
    const keys = accessed.get(address) ?? [];
    keys.push(view.hex(scratch, 32));
    accessed.set(address, keys);
  }
  return [...accessed].map(([address, storageKeys]) => ({ address, storageKeys }));
}

function readLogs(view: View): Log[] {
  const logs: Log[] = [];
  let at = view.number(status.logBase);
  const end = view.number(status.logEnd);
  while (at < end) {
    const address = view.addressOf(view.number(at));
    const count = view.number(at + 4);
    const length = view.number(at + 8);
    const topics: Hash[] = [];
    for (let i = 0; i < count; i++) topics.push(view.hex(at + 16 + 32 * i, 32));
    const data = at + 16 + 32 * count;
    logs.push({ address, topics, data: view.hex(data, length) });
    at = data + ((length + 7) & ~7);
  }
  return logs;
}

const kinds: Partial<Record<number, InternalTransfer["kind"]>> = { 240: "create", 245: "create2", 255: "selfdestruct" };

function readTransfers(view: View): InternalTransfer[] {
  const transfers: InternalTransfer[] = [];
  const end = view.number(status.transferEnd);
  for (let at = view.number(status.transferBase); at < end; at += 48) {
    transfers.push({
      kind: kinds[view.number(at)] ?? "call",
      from: view.addressOf(view.number(at + 4)),
      to: view.addressOf(view.number(at + 8)),
      value: view.word(at + 16),
    });
  }
  return transfers;
}
