/**
 * geth's erc7562Tracer, which ERC-4337 bundlers use to check validation code (ERC-7562). It returns callTracer's frames
 * with the opcodes, slots and contracts that each frame used. The transaction's own frame also has the preimages of all
 * hashes.
 */
import { opcodes } from "@/lib/opcodes";
import { toWord } from "@/server/ethereum/codec/bytes";
import type { Message } from "@/server/ethereum/message";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { failures } from "@/server/evm/layout";
import type { Step } from "@/server/evm/listener";
import { createRunBudget, type RunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { createCallTracer } from "@/server/evm/tracers/callTracer";
import { createMuxTracer } from "@/server/evm/tracers/muxTracer";
import { callingOpcodes, readMemory, toAddress } from "@/server/evm/tracers/step";
import type { Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

type Config = Extract<TracerConfig, { tracer: "erc7562Tracer" }>;
type Counts = Record<Hex, number>;

/** What one frame used, in wire form. Opcode counts are keyed by the opcode's hex number. */
type Usage = {
  accessedSlots: { reads: Record<Hash, [Hash]>; writes: Counts; transientReads: Counts; transientWrites: Counts };
  extCodeAccessInfo: Address[];
  usedOpcodes: Counts;
  contractSize: Record<Address, { contractSize: number; opcode: number }>;
  outOfGas: boolean;
};
type Recorded = { usages: Usage[]; keccak: Set<Hex> };
type Frame = { type: string; calls?: Frame[] };

const { EXTCODEHASH, EXTCODESIZE, EXTCODECOPY, GAS, ISZERO, KECCAK256, RETURN, REVERT } = opcodes;
const { POP, ADD, SUB, MUL, DIV, EQ, LT, GT, SLT, SGT, SHL, SHR, AND, OR, NOT, PUSH0 } = opcodes;
const readingOpcodes: ReadonlySet<number> = new Set([EXTCODEHASH, EXTCODESIZE, EXTCODECOPY]);
const SWAP16 = 0x9f;
/** As in geth, SWAP16 isn't ignored. */
const usuallyIgnored: readonly number[] = [
  ...Array.from({ length: SWAP16 - PUSH0 }, (_, index) => PUSH0 + index),
  ...[POP, ADD, SUB, MUL, DIV, EQ, LT, GT, SLT, SGT, SHL, SHR, AND, OR, NOT, ISZERO],
];

export function createErc7562Tracer(message: Message, config: Config, limit: TraceBudget): Tracer {
  const { withLog, ignoredOpcodes } = config;
  const calls = createCallTracer(message, { tracer: "callTracer", onlyTopCall: false, withLog }, limit);
  const usage = createUsageTracer(new Set(ignoredOpcodes ?? usuallyIgnored), limit);
  return createMuxTracer([calls, usage], ([root, recorded]) => {
    const { usages, keccak } = recorded as Recorded;
    const unread = usages.values();
    const hashed = keccak.size > 0 && { keccak: [...keccak].sort() };
    return { ...addUsage(root as Frame, unread), ...hashed };
  });
}

/**
 * Adds to each frame what it used. Usages are in the order in which the frames were entered. Self-destructs appear as
 * frames but run no code, so their usage is empty.
 */
function addUsage(frame: Frame, unread: Iterator<Usage>): Frame {
  const usage = frame.type === "SELFDESTRUCT" ? createUsage() : unread.next().value;
  return { ...frame, ...usage, ...(frame.calls && { calls: frame.calls.map((call) => addUsage(call, unread)) }) };
}

function createUsage(): Usage {
  return {
    accessedSlots: { reads: {}, writes: {}, transientReads: {}, transientWrites: {} },
    extCodeAccessInfo: [],
    usedOpcodes: {},
    contractSize: {},
    outOfGas: false,
  };
}

/** Records what every frame used, in the order in which the frames were entered, and the preimages of hashes. */
function createUsageTracer(ignored: ReadonlySet<number>, limit: TraceBudget): Tracer {
  const budget = createRunBudget(limit);
  let usages: Usage[] = [];
  let open: Usage[] = [];
  const keccak = new Set<Hex>();
  /** The previous opcode, and the account whose code it read. */
  let last: { op: number; account?: Address } | undefined;

  function step(shown: Step): void {
    const { op } = shown;
    const usage = open.at(-1);
    if (!usage) return;
    if (op === RETURN || op === REVERT) last = undefined;
    if (last?.account && !(last.op === EXTCODESIZE && op === ISZERO)) {
      budget.take(45);
      usage.extCodeAccessInfo.push(last.account);
    }
    // ERC-7562 only allows GAS directly before a call. Such uses of GAS aren't counted.
    if (last?.op === GAS && !callingOpcodes.has(op)) count(usage.usedOpcodes, toKey(GAS), budget);
    if (op !== GAS && !ignored.has(op)) count(usage.usedOpcodes, toKey(op), budget);
    recordSize(usage, shown, budget);
    recordSlot(usage.accessedSlots, shown, budget);
    if (op === KECCAK256) {
      const preimage = readMemory(shown, shown.peek(0), shown.peek(1));
      if (!keccak.has(preimage)) budget.take(preimage.length);
      keccak.add(preimage);
    }
    last = readingOpcodes.has(op) ? { op, account: toAddress(shown.peek(0)) } : { op };
  }

  return {
    listener: {
      watch: "all",
      begin() {
        usages = [];
        open = [];
        keccak.clear();
        last = undefined;
        budget.restart();
      },
      step,
      enter() {
        const usage = createUsage();
        usages.push(usage);
        open.push(usage);
        budget.take(170);
      },
      exit({ failure }) {
        const usage = open.pop();
        if (usage) usage.outOfGas = failure === failures.outOfGas || failure === failures.depositOutOfGas;
      },
    },
    finish: async (): Promise<Recorded> => ({ usages, keccak }),
  };
}

const toKey = (op: number): Hex => `0x${op.toString(16)}`;

function count(counts: Counts, key: Hex, budget: RunBudget): void {
  if (counts[key] === undefined) budget.take(key.length + 4);
  counts[key] = (counts[key] ?? 0) + 1;
}

function recordSize({ contractSize }: Usage, shown: Step, budget: RunBudget): void {
  const { op } = shown;
  const isCall = callingOpcodes.has(op);
  if (!isCall && !readingOpcodes.has(op)) return;
  const address = toAddress(shown.peek(isCall ? 1 : 0));
  if (contractSize[address]) return;
  budget.take(80);
  contractSize[address] = { contractSize: shown.getCode(address).length, opcode: op };
}

/** If a frame writes a slot before reading it, the slot isn't listed as read. */
function recordSlot(slots: Usage["accessedSlots"], shown: Step, budget: RunBudget): void {
  const { op, address } = shown;
  const { SLOAD, SSTORE, TLOAD, TSTORE } = opcodes;
  if (op !== SLOAD && op !== SSTORE && op !== TLOAD && op !== TSTORE) return;
  const slot = toWord(shown.peek(0));
  if (op === SSTORE) count(slots.writes, slot, budget);
  else if (op === TLOAD) count(slots.transientReads, slot, budget);
  else if (op === TSTORE) count(slots.transientWrites, slot, budget);
  else if (!slots.reads[slot] && !slots.writes[slot]) {
    budget.take(140);
    slots.reads[slot] = [shown.getSlot(address, slot)];
  }
}
