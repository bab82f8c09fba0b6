/**
 * The events that a tracer receives from a traced run. A run may be restarted, so `begin()` must reset the listener.
 * Values that are passed to an event function are only valid until the function returns.
 */

import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Account, Address, Hash, Hex } from "@/server/ethereum/types";
import type { Core } from "@/server/evm/host";
import { account, accountFlags, codeBytes, scratch, status, watchTable } from "@/server/evm/layout";

export type Listener = {
  /** The opcodes that `step()` is called for. */
  watch: "all" | readonly number[];
  begin(): void;
  /** Called before each watched opcode, even if the opcode then fails. */
  step?(step: Step): void;
  /**
   * Called when a frame opens, or when it can't open because of its depth or the balance. `exit` follows in both cases.
   */
  enter?(frame: EnteredFrame): void;
  exit?(frame: LeftFrame): void;
};

/** The state of a frame before its next opcode runs. Depth counts from zero; gas and refund are safe integers. */
export type Step = {
  op: number;
  pc: number;
  gas: number;
  refund: number;
  depth: number;
  /** The account whose storage the code uses. */
  address: Address;
  stackLength: number;
  /** The word this many positions below the top of the stack; zero if there is none. */
  peek(place: number): bigint;
  /** All words on the stack, lowest first. */
  stack(): bigint[];
  memoryBytes: number;
  /** Return data of the frame's latest call. */
  returned(): Hex;
  /** A copy of bytes in memory, with zeros beyond the memory that the frame has used. */
  memory(offset: number, length: number): Uint8Array;
  /** The account in the run's current state. */
  getAccount(address: Address): Account | undefined;
  getSlot(address: Address, slot: Hash): Hash;
  /** The account's code, which may have been created in this run; empty if the account has none. */
  getCode(address: Address): Uint8Array;
};

export type EnteredFrame = {
  /** The opcode; CALL or CREATE for the transaction's own frame. */
  op: number;
  /** The depth of the frame. The transaction's own frame has depth zero. */
  depth: number;
  from: Address;
  /**
   * The account whose code runs, or the address of the new contract; undefined if the creation failed before its
   * address was derived.
   */
  to: Address | undefined;
  value: bigint;
  gas: number;
  input: Hex;
  /**
   * What the opcode costs the calling frame. The cost of a call includes the gas passed on to it; the cost of a
   * creation doesn't.
   */
  cost: number;
};

export type LeftFrame = {
  /** The number of the failure in layout.ts; zero means success. */
  failure: number;
  faultOp: number;
  /** The gas returned to the caller. */
  gasLeft: number;
  /**
   * Valid only if code ran: the position of the last opcode, and the gas left after charging for it. Negative gas means
   * that the frame couldn't pay.
   */
  lastPc: number;
  lastGas: number;
  output: Hex;
  /** The address of the created contract. */
  created: Address | undefined;
};

export type Events = { step(op: number): void; enter(): void; exit(failure: number): void };

/** The host functions that the machine calls to report to the listener. */
export function listen(listener: Listener | undefined, core: Core): Events {
  const { view } = core;
  const table = view.bytes().subarray(watchTable, watchTable + 256);
  table.fill(listener?.watch === "all" ? 1 : 0);
  if (listener && listener.watch !== "all") for (const op of listener.watch) table[op] = 1;
  listener?.begin();

  const shown = createStep(core);
  return {
    step(op) {
      view.refresh();
      shown.op = op;
      shown.pc = view.number(status.pc);
      shown.gas = Number(view.long(status.frameGas));
      shown.refund = Number(view.long(status.refund));
      shown.depth = view.number(status.depth);
      shown.address = view.addressOf(view.number(status.self));
      shown.stackLength = (view.number(status.stackPointer) + 32 - view.number(status.stack)) >> 5;
      shown.memoryBytes = view.number(status.memorySize);
      listener?.step?.(shown);
    },
    enter() {
      if (!listener?.enter) return;
      view.refresh();
      const length = view.number(status.inputLength);
      const to = view.number(status.to);
      listener.enter({
        op: view.number(status.kind),
        depth: (view.number(status.depth) + 1) | 0,
        from: view.addressOf(view.number(status.from)),
        to: to === 0 ? undefined : view.addressOf(to),
        value: view.word(view.number(status.value)),
        gas: Number(view.long(status.frameGas)),
        input: length === 0 ? "0x" : view.hex(view.number(status.input), length),
        cost: Number(view.long(status.cost)),
      });
    },
    exit(failure) {
      if (!listener?.exit) return;
      view.refresh();
      const created = view.number(status.created);
      listener.exit({
        failure,
        faultOp: view.number(status.faultOp),
        gasLeft: Number(view.long(status.frameGas)),
        lastPc: view.number(status.pc),
        lastGas: Number(view.long(status.gas)),
        output: view.hex(view.number(status.returnPointer), view.number(status.returnLength)),
        created: created === 0 || failure !== 0 ? undefined : view.addressOf(created),
      });
    },
  };
}

/**
 * Creates the step object that the listener receives. The object is reused; its values are updated before each event.
 */
function createStep(core: Core): Step {
  const { view, exports } = core;
  const shown: Step = {
    op: 0,
    pc: 0,
    gas: 0,
    refund: 0,
    depth: 0,
    address: "0x",
    stackLength: 0,
    memoryBytes: 0,
    peek(place) {
      return place < shown.stackLength ? view.word(view.number(status.stackPointer) - 32 * place) : 0n;
    },
    stack() {
      const base = view.number(status.stack);
      return Array.from({ length: shown.stackLength }, (_, index) => view.word(base + 32 * index));
    },
    returned: () => view.hex(view.number(status.returnPointer), view.number(status.returnLength)),
    memory(offset, length) {
      const bytes = new Uint8Array(length);
      const base = view.number(status.memory);
      const end = Math.min(offset + length, shown.memoryBytes);
      if (offset < end) bytes.set(view.bytes().subarray(base + offset, base + end));
      return bytes;
    },
    getAccount(address) {
      view.setKey(address);
      const record = exports.peekAccount();
      view.refresh();
      const exists = (view.number(record + account.flags) & accountFlags.exists) !== 0;
      return exists ? view.accountOf(record) : undefined;
    },
    getSlot(address, slot) {
      view.setKey(address);
      const record = exports.peekAccount();
      view.refresh();
      view.setKey(slot);
      exports.peekSlot(record);
      view.refresh();
      return view.hex(scratch + 32, 32);
    },
    getCode(address) {
      view.setKey(address);
      const record = exports.peekAccount();
      view.refresh();
      if ((view.number(record + account.flags) & accountFlags.newCode) !== 0) {
        const entry = view.number(record + account.code);
        return view.copy(entry + codeBytes, view.number(entry));
      }
      const hash = view.hex(record + account.codeHash, 32);
      return hash === emptyCodeHash ? new Uint8Array(0) : (core.run?.state.getCode(hash) ?? new Uint8Array(0));
    },
  };
  return shown;
}
