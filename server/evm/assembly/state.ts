/**
 * The accounts and slots that one run uses. Each value is read from the host on first use, and the journal can undo
 * every change. The host doesn't see any changes before the run ends, so a run can be restarted at any point.
 */
import { full, hasStorage, loadAccount, loadCode, loadSlot } from "./host";
import {
  accountBase,
  accountCap,
  accountTable,
  PRECOMPILE_LIMIT,
  PRECOMPILES,
  Region,
  SCRATCH,
  slotBase,
  slotCap,
  slotTable,
  Status,
  STATUS,
} from "./layout";
import { noteBalance, noteCode, noteFlags, noteNonce, noteSlot, noteSlotFlags } from "./journal";
import { copy, fromBytes, small, toBytes } from "./word";

/** Offsets in an account record. The limbs of the address come first, at offset 0. */
export const A_FLAGS: usize = 24;
export const A_CODE: usize = 28;
export const A_NONCE: usize = 32;
export const A_BALANCE: usize = 40;
export const A_CODE_HASH: usize = 72;
/** The address as 20 big-endian bytes, for the host and for hashing. */
export const A_BYTES: usize = 104;
export const A_PRECOMPILE: usize = 124;

export const LOADED: u32 = 1;
export const EXISTS: u32 = 2;
export const WARM: u32 = 4;
export const TOUCHED: u32 = 8;
/**
 * This transaction created the account, so it has no slots in the host's state, and EIP-6780 lets it destroy itself.
 */
export const CREATED: u32 = 16;
export const DESTRUCTED: u32 = 32;
export const DIRTY: u32 = 64;
/** The account has code that isn't in the host's state yet. */
export const HAS_NEW_CODE: u32 = 128;
/** Set if accesses are listed for the host and an opcode named the account. Stays set even if the frame fails. */
export const LISTED: u32 = 256;

/** Offsets in a slot record. The key comes first, at offset 0. */
export const T_VALUE: usize = 32;
export const T_ORIGINAL: usize = 64;
export const T_ACCOUNT: usize = 96;
export const T_FLAGS: usize = 100;
export const T_STAMP: usize = 104;
/** Transient slots (EIP-1153) are in the same table as other slots. In their records, this bit of T_ACCOUNT is set. */
const TRANSIENT: u32 = 0x8000_0000;

/**
 * Whether accesses are listed for the host. If they are, each access costs either its usual price (PRICED) or the warm
 * price (WARM).
 */
export const enum Listing {
  NONE = 0,
  PRICED = 1,
  WARM = 2,
}
let listing: u32 = Listing.NONE;

let accounts: u32 = 0;
let slots: u32 = 0;
let epoch: u32 = 0;
let k0: u64 = 0;
let k1: u64 = 0;
let k2: u64 = 0;
let k3: u64 = 0;

const LOW: u64 = 0xffff_ffff;

/** Sets the secret key for the hash tables, so that attackers can't choose slots that collide. */
export function seed(a: u64, b: u64, c: u64, d: u64): void {
  k0 = a;
  k1 = b;
  k2 = c;
  k3 = d;
}

/** Forgets all accounts and slots. */
export function resetState(): void {
  accounts = 0;
  slots = 0;
  epoch++;
}

export function publishState(): void {
  store<u32>(STATUS, accounts, Status.ACCOUNTS);
  store<u32>(STATUS, slots, Status.SLOTS);
}

/** The universal hash function NH, applied to the halves of each limb. Which keys collide depends on the secret. */
@inline
function pair(limb: u64, key: u64): u64 {
  return (((limb & LOW) + (key & LOW)) & LOW) * (((limb >> 32) + (key >> 32)) & LOW);
}

@inline
function spread(hash: u64): u32 {
  return <u32>((hash * 0x9e37_79b9_7f4a_7c15) >> 32);
}

/** Returns the record of the address whose limbs are at `p`. Only the low 160 bits count. */
export function findAccount(p: usize): usize {
  const a0 = load<u64>(p);
  const a1 = load<u64>(p, 8);
  const a2 = load<u64>(p, 16) & LOW;
  const mask = accountCap * 2 - 1;
  const tag = <u64>epoch << 32;
  let at = spread(pair(a0, k0) + pair(a1, k1) + pair(a2, k2)) & mask;
  while (true) {
    const entry = load<u64>(accountTable + (<usize>at << 3));
    if (entry >> 32 != epoch) break;
    const record = <usize>(entry & LOW);
    if (load<u64>(record) == a0 && load<u64>(record, 8) == a1 && load<u64>(record, 16) == a2) return record;
    at = (at + 1) & mask;
  }
  if (accounts == accountCap) full(Region.ACCOUNTS);
  const record = accountBase + <usize>accounts * 128;
  accounts++;
  store<u64>(accountTable + (<usize>at << 3), tag | <u64>record);
  store<u64>(record, a0);
  store<u64>(record, a1, 8);
  store<u64>(record, a2, 16);
  const isPrecompile = a2 == 0 && a1 == 0 && a0 < PRECOMPILE_LIMIT && load<u8>(PRECOMPILES + <usize>a0) != 0;
  store<u32>(record, isPrecompile ? WARM : 0, A_FLAGS);
  store<u32>(record, 0, A_CODE);
  store<u32>(record, bswap(<u32>a2), A_BYTES);
  store<u64>(record, bswap(a1), A_BYTES + 4);
  store<u64>(record, bswap(a0), A_BYTES + 12);
  store<u32>(record, 0, A_PRECOMPILE);
  return record;
}

/** Loads the account from the host if necessary, and returns the same record. */
export function ensureLoaded(account: usize): usize {
  if ((flags(account) & LOADED) == 0) {
    loadAccount(account);
    store<u32>(account, flags(account) | LOADED, A_FLAGS);
  }
  return account;
}

@inline
export function flags(account: usize): u32 {
  return load<u32>(account, A_FLAGS);
}

/** Sets flags. The change is undone if the frame fails. */
export function raise(account: usize, bits: u32): void {
  const before = flags(account);
  if ((before & bits) == bits) return;
  noteFlags(account, before);
  store<u32>(account, before | bits, A_FLAGS);
}

@inline
export function exists(account: usize): bool {
  return (flags(account) & EXISTS) != 0;
}

/** EIP-161: whether the account doesn't exist or is empty. */
export function isEmpty(account: usize): bool {
  if (!exists(account)) return true;
  return (
    load<u64>(account, A_NONCE) == 0 &&
    (load<u64>(account, A_BALANCE) |
      load<u64>(account, A_BALANCE + 8) |
      load<u64>(account, A_BALANCE + 16) |
      load<u64>(account, A_BALANCE + 24)) ==
      0 &&
    !hasCode(account)
  );
}

export function setBalance(account: usize, value: usize): void {
  noteBalance(account);
  copy(account + A_BALANCE, value);
  raise(account, DIRTY | EXISTS);
}

export function setNonce(account: usize, nonce: u64): void {
  noteNonce(account);
  store<u64>(account, nonce, A_NONCE);
  raise(account, DIRTY | EXISTS);
}

/** Sets the account's code. `hash` points to the hash of the code. */
export function setCode(account: usize, entry: usize, hash: usize): void {
  noteCode(account);
  memory.copy(account + A_CODE_HASH, hash, 32);
  store<u32>(account, <u32>entry, A_CODE);
  raise(account, DIRTY | EXISTS | HAS_NEW_CODE);
}

/**
 * Half of the Keccak hash of empty input, in the byte order of a record. This is enough to distinguish it from any
 * other hash.
 */
const NO_CODE_0: u64 = 0x3c23_f786_0146_d2c5;
const NO_CODE_1: u64 = 0xc003_c7dc_b27d_7e92;

@inline
export function hasCode(account: usize): bool {
  return exists(account) && (load<u64>(account, A_CODE_HASH) != NO_CODE_0 || load<u64>(account, A_CODE_HASH + 8) != NO_CODE_1);
}

/** The code entry of a loaded account; zero if the account has no code. */
export function codeOf(account: usize): usize {
  if (!hasCode(account)) return 0;
  let entry = <usize>load<u32>(account, A_CODE);
  if (entry == 0) {
    entry = loadCode(account);
    store<u32>(account, <u32>entry, A_CODE);
  }
  return entry;
}

/** EIP-7610: whether the address is in use, so that no contract may be created there. */
export function isTaken(account: usize): bool {
  if (!exists(account)) return false;
  if (load<u64>(account, A_NONCE) != 0 || hasCode(account)) return true;
  return (flags(account) & CREATED) == 0 && hasStorage(account);
}

function findRecord(account: usize, p: usize, space: u32): usize {
  const l0 = load<u64>(p);
  const l1 = load<u64>(p, 8);
  const l2 = load<u64>(p, 16);
  const l3 = load<u64>(p, 24);
  const owner = <u32>account | space;
  const mask = slotCap * 2 - 1;
  let at = spread(pair(l0, k0) + pair(l1, k1) + pair(l2, k2) + pair(l3, k3) + <u64>owner * 0xd6e8_feb8_6659_fd93) & mask;
  while (true) {
    const entry = load<u64>(slotTable + (<usize>at << 3));
    if (entry >> 32 != epoch) break;
    const record = <usize>(entry & LOW);
    if (
      load<u64>(record) == l0 &&
      load<u64>(record, 8) == l1 &&
      load<u64>(record, 16) == l2 &&
      load<u64>(record, 24) == l3 &&
      load<u32>(record, T_ACCOUNT) == owner
    ) {
      return record;
    }
    at = (at + 1) & mask;
  }
  if (slots == slotCap) full(Region.SLOTS);
  const record = slotBase + <usize>slots * 128;
  slots++;
  store<u64>(slotTable + (<usize>at << 3), (<u64>epoch << 32) | <u64>record);
  copy(record, p);
  store<u32>(record, owner, T_ACCOUNT);
  store<u32>(record, 0, T_FLAGS);
  store<u32>(record, 0, T_STAMP);
  return record;
}

/** Finds the slot's record without loading its value; used for access lists. */
export function findSlot(account: usize, p: usize): usize {
  return findRecord(account, p, 0);
}

/**
 * Finds the slot's record and makes sure that it contains the slot's current value and the value that the slot had when
 * the transaction began.
 */
export function getSlot(account: usize, p: usize): usize {
  const slot = findRecord(account, p, 0);
  const known = load<u32>(slot, T_FLAGS);
  if (known & LOADED) return slot;
  if (flags(account) & CREATED) {
    small(slot + T_VALUE, 0);
    small(slot + T_ORIGINAL, 0);
  } else {
    toBytes(SCRATCH, slot);
    loadSlot(account);
    fromBytes(slot + T_VALUE, SCRATCH + 32);
    copy(slot + T_ORIGINAL, slot + T_VALUE);
  }
  store<u32>(slot, known | LOADED, T_FLAGS);
  return slot;
}

export function getTransient(account: usize, p: usize): usize {
  const slot = findRecord(account, p, TRANSIENT);
  const known = load<u32>(slot, T_FLAGS);
  if ((known & LOADED) == 0) {
    small(slot + T_VALUE, 0);
    store<u32>(slot, LOADED, T_FLAGS);
  }
  return slot;
}

export function setSlot(slot: usize, value: usize): void {
  noteSlot(slot);
  copy(slot + T_VALUE, value);
}

export function setListing(mode: u32): void {
  listing = mode;
}

/** Marks the account whose address is at `p` as accessed. Called before anything can fail. */
export function listAccount(p: usize): void {
  if (listing == Listing.NONE) return;
  const account = findAccount(p);
  store<u32>(account, flags(account) | LISTED, A_FLAGS);
}

/** Loads the slot whose key is at `p`. This lists the slot, because the host lists every loaded slot. */
export function listSlot(account: usize, p: usize): void {
  if (listing != Listing.NONE) getSlot(account, p);
}

/** Warms the slot; returns whether it was cold. */
export function warmSlot(slot: usize): bool {
  if (listing == Listing.WARM) return false;
  const before = load<u32>(slot, T_FLAGS);
  if (before & WARM) return false;
  noteSlotFlags(slot, before);
  store<u32>(slot, before | WARM, T_FLAGS);
  return true;
}

/** Warms the account that an opcode names; returns whether it was cold. */
export function warmAccount(account: usize): bool {
  return listing != Listing.WARM && warmUnlisted(account);
}

/** Warms an account that access lists never contain. Returns whether it was cold. */
export function warmUnlisted(account: usize): bool {
  if (flags(account) & WARM) return false;
  raise(account, WARM);
  return true;
}
