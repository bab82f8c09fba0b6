/**
 * geth's prestateTracer: the accounts and slots that a transaction touches, with their values before the transaction.
 * With `diffMode`, only shows what changed, with the values before and after the transaction.
 */

import { opcodes } from "@/lib/opcodes";
import { toQuantity } from "@/lib/units";
import { toBytes, toHex, toWord, zeroWord } from "@/server/ethereum/codec/bytes";
import { toCreate2Address, toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import { isDelegation } from "@/server/ethereum/delegation";
import { emptyAccount, type Message } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import type { ForkName } from "@/server/ethereum/spec";
import type { Account, Address, Hash, Hex } from "@/server/ethereum/types";
import { failures } from "@/server/evm/layout";
import type { Listener, Step } from "@/server/evm/listener";
import type { MachineState } from "@/server/evm/machine";
import { createRunBudget, type RunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { callingOpcodes, readMemory, toAddress, touchingOpcodes } from "@/server/evm/tracers/step";
import type { Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

type Config = Extract<TracerConfig, { tracer: "prestateTracer" }>;

type Known = { account: Account | undefined; code: Hex; storage: Map<Hash, Hash> };
export type WireAccount = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hash, Hash> };
/** The trace with `diffMode`: the accounts that changed. */
export type StateChange = { pre: Record<string, WireAccount>; post: Record<string, WireAccount> };

/** The state of the traced run, and values of its block. */
type Traced = { state: MachineState; coinbase: Address; has(fork: ForkName): boolean };

/** What the tracer has recorded so far. */
type Seen = {
  traced: Traced;
  config: Config;
  budget: RunBudget;
  known: Map<Address, Known>;
  created: Set<Address>;
  /** What to record after the frame's current opcode has run. */
  pending: { pc: number; note: () => void } | undefined;
};

export async function createPrestateTracer(
  traced: Traced,
  message: Message,
  config: Config,
  limit: TraceBudget,
): Promise<Tracer> {
  const seen: Seen = {
    traced,
    config,
    budget: createRunBudget(limit),
    known: new Map(),
    created: new Set(),
    pending: undefined,
  };
  // Reads the accounts that the message itself names, before the run changes them.
  await untilComplete(() => meetNamed(seen, message));
  return {
    listener: createListener(seen),
    finish: () => (config.diffMode ? diff(seen) : Promise.resolve(listBefore(seen))),
  };
}

function meetNamed(seen: Seen, message: Message): void {
  meet(seen, message.from);
  if (message.to) meetCallee(seen, message.to);
  else {
    meetCreated(seen, toCreateAddress(message.from, (meet(seen, message.from).account ?? emptyAccount).nonce));
  }
  meet(seen, seen.traced.coinbase);
  for (const authorization of message.authorizationList ?? []) {
    const authority = findAuthority(authorization);
    if (authority) meet(seen, authority);
  }
}

/** If a run is restarted, the tracer starts again and only keeps the accounts that were known before the run. */
function createListener(seen: Seen): Listener {
  const { known, created, budget } = seen;
  const named = [...known];
  const firstCreated = [...created];
  return {
    watch: [opcodes.SLOAD, opcodes.SSTORE, opcodes.CREATE, opcodes.CREATE2, ...touchingOpcodes, ...callingOpcodes],
    begin() {
      budget.restart();
      known.clear();
      created.clear();
      seen.pending = undefined;
      for (const address of firstCreated) created.add(address);
      for (const [address, before] of named) {
        known.set(address, { ...before, storage: new Map() });
        budget.take(60 + before.code.length);
      }
    },
    step(shown) {
      settle(seen);
      seen.pending = { pc: shown.pc, note: toNote(seen, shown) };
    },
    enter: () => settle(seen),
    exit({ failure, lastPc }) {
      // The frame failed at the pending opcode if no other opcode has run since.
      if (failure !== 0 && failure !== failures.revert && seen.pending?.pc === lastPc) seen.pending = undefined;
      settle(seen);
    },
  };
}

function settle(seen: Seen): void {
  seen.pending?.note();
  seen.pending = undefined;
}

/**
 * Returns a function that records what the opcode touches, to be called if the opcode succeeds. A failed opcode touches
 * nothing.
 */
function toNote(seen: Seen, step: Step): () => void {
  const { op, address } = step;
  const word = step.peek(callingOpcodes.has(op) ? 1 : 0);
  if (op === opcodes.SLOAD || op === opcodes.SSTORE) return () => meetSlot(seen, address, toWord(word));
  if (touchingOpcodes.has(op)) return () => meet(seen, toAddress(word));
  if (callingOpcodes.has(op)) return () => meetCallee(seen, toAddress(word));
  const place = toCreated(step);
  return () => meetCreated(seen, place);
}

/** Reads the account as it was before the transaction. Throws PendingRead if the account must be fetched. */
function read({ state }: Traced, address: Address): Omit<Known, "storage"> {
  const account = state.findAccount(address);
  const hasCode = account && account.codeHash !== emptyCodeHash;
  return { account, code: hasCode ? toHex(state.getCode(account.codeHash)) : "0x" };
}

function meet({ traced, known, budget }: Seen, address: Address): Known {
  const before = known.get(address);
  if (before) return before;
  const first: Known = { ...read(traced, address), storage: new Map() };
  known.set(address, first);
  // Counts the account even with `diffMode`: the trace may leave most of it out, but it takes up memory during the run.
  budget.take(60 + first.code.length);
  return first;
}

/** Records the called account and, if it delegates (EIP-7702), the account whose code runs. */
function meetCallee(seen: Seen, address: Address): void {
  const { code } = meet(seen, address);
  const bytes = toBytes(code);
  if (seen.traced.has("prague") && isDelegation(bytes)) meet(seen, toHex(bytes.subarray(3)));
}

function meetSlot(seen: Seen, address: Address, slot: Hash): void {
  const { storage } = meet(seen, address);
  if (storage.has(slot)) return;
  storage.set(slot, seen.traced.state.getSlot(address, slot));
  seen.budget.take(137);
}

function meetCreated(seen: Seen, address: Address): void {
  meet(seen, address);
  seen.created.add(address);
}

function listBefore({ known, created, config }: Seen): Record<Address, WireAccount> {
  const pre: Record<Address, WireAccount> = {};
  for (const [address, before] of sorted(known)) {
    if (created.has(address) && isNothing(before)) continue;
    pre[address] = toWire(before, before.storage, config);
  }
  return pre;
}

async function diff({ traced, known, config }: Seen): Promise<StateChange> {
  const pre: Record<Address, WireAccount> = {};
  const post: Record<Address, WireAccount> = {};
  for (const [address, before] of sorted(known)) {
    const after = await untilComplete(() => read(traced, address));
    if (before.account && !after.account) {
      pre[address] = toWire(before, before.storage, config);
      continue;
    }
    const change = toChange(before, after, config);
    const slots = { before: new Map<Hash, Hash>(), after: new Map<Hash, Hash>() };
    for (const [slot, value] of config.disableStorage ? [] : before.storage) {
      const now = await untilComplete(() => traced.state.getSlot(address, slot));
      if (now === value) continue;
      if (value !== zeroWord) slots.before.set(slot, value);
      slots.after.set(slot, now);
    }
    if (Object.keys(change).length === 0 && slots.after.size === 0) continue;
    for (const [slot, value] of slots.after) if (value === zeroWord) slots.after.delete(slot);
    if (before.account || !isNothing(before)) pre[address] = toWire(before, slots.before, config);
    post[address] = { ...change, ...toWireStorage(slots.after) };
  }
  return { pre, post };
}

/**
 * The address that CREATE or CREATE2 would give to the new contract. For CREATE2, the address is derived from
 * keccak(0xff, creator, salt, keccak(init code)) (EIP-1014).
 */
function toCreated(step: Step): Address {
  const creator = step.address;
  if (step.op === opcodes.CREATE) return toCreateAddress(creator, step.getAccount(creator)?.nonce ?? 0n);
  const initCode = toBytes(readMemory(step, step.peek(1), step.peek(2)));
  return toCreate2Address(creator, toWord(step.peek(3)), initCode);
}

function sorted(known: Map<Address, Known>): [Address, Known][] {
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isNothing({ account, code }: Known): boolean {
  return (account?.balance ?? 0n) === 0n && (account?.nonce ?? 0n) === 0n && code === "0x";
}

/**
 * Leaves out a zero nonce, empty code and empty storage. Always shows the balance, which is zero for an account that
 * doesn't exist.
 */
function toWire(known: Omit<Known, "storage">, storage: ReadonlyMap<Hash, Hash>, config: Config): WireAccount {
  const account = known.account ?? emptyAccount;
  return {
    balance: toQuantity(account.balance),
    ...(account.nonce === 0n ? {} : { nonce: Number(account.nonce) }),
    ...(config.disableCode || known.code === "0x" ? {} : { code: known.code }),
    ...(config.disableStorage ? {} : toWireStorage(storage)),
  };
}

function toWireStorage(storage: ReadonlyMap<Hash, Hash>): Pick<WireAccount, "storage"> {
  if (storage.size === 0) return {};
  return { storage: Object.fromEntries([...storage].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The fields that differ, with their new values. */
function toChange(before: Known, after: Omit<Known, "storage">, config: Config): WireAccount {
  const old = before.account ?? emptyAccount;
  const now = after.account ?? emptyAccount;
  return {
    ...(old.balance === now.balance ? {} : { balance: toQuantity(now.balance) }),
    ...(old.nonce === now.nonce ? {} : { nonce: Number(now.nonce) }),
    ...(config.disableCode || before.code === after.code ? {} : { code: after.code }),
  };
}
