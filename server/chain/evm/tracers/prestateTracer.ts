/**
 * geth's prestateTracer: the accounts and slots a transaction touches, as they were before it; with diffMode, only
 * what changed, before and after. Each is read when it is first met, which is always before anything changes it.
 */
import type { InterpreterStep } from "@ethereumjs/evm";
import { concat, toBytes, toHex, toWord } from "@/server/chain/codec/bytes";
import { toCreateAddress } from "@/server/chain/codec/contractAddress";
import { emptyCodeHash, keccak } from "@/server/chain/codec/hash";
import { findAuthority } from "@/server/chain/codec/transaction";
import { isDelegation } from "@/server/chain/evm/delegation";
import type { Engine } from "@/server/chain/evm/engine";
import type { TracerConfig } from "@/server/chain/evm/executor";
import { emptyAccount, type Message } from "@/server/chain/evm/message";
import { zeroWord } from "@/server/chain/evm/state/overlay";
import type { TraceBudget } from "@/server/chain/evm/tracers/budget";
import { canRun, fromStack, readMemory, toQuantity } from "@/server/chain/evm/tracers/step";
import type { Tracer } from "@/server/chain/evm/tracers/tracer";
import type { Account, Address, Hash, Hex } from "@/server/chain/types";

type Config = Extract<TracerConfig, { tracer: "prestateTracer" }>;

type Known = { account: Account | undefined; code: Hex; storage: Map<Hash, Hash> };
type WireAccount = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hash, Hash> };

export async function attachPrestateTracer(
  engine: Engine,
  message: Message,
  config: Config,
  budget: TraceBudget,
): Promise<Tracer> {
  const { overlay } = engine;
  const known = new Map<Address, Known>();
  const created = new Set<Address>();

  async function read(address: Address): Promise<Omit<Known, "storage">> {
    const account = await overlay.findAccount(address);
    const hasCode = account && account.codeHash !== emptyCodeHash;
    return { account, code: hasCode ? toHex(await overlay.getCode(account.codeHash)) : "0x" };
  }

  async function meet(address: Address): Promise<Known> {
    const before = known.get(address);
    if (before) return before;
    const first: Known = { ...(await read(address)), storage: new Map() };
    known.set(address, first);
    // With diffMode most of it may turn out not to be part of the answer, but it is kept until then.
    budget(60 + first.code.length);
    return first;
  }

  /** An account that is called, and whose code may be another's (EIP-7702). */
  async function meetCallee(address: Address): Promise<void> {
    const { code } = await meet(address);
    const bytes = toBytes(code);
    if (engine.has("prague") && isDelegation(bytes)) await meet(toHex(bytes.subarray(3)));
  }

  async function meetCreated(step: InterpreterStep): Promise<void> {
    const creator = toHex(step.address.bytes);
    const { nonce } = (await overlay.findAccount(creator)) ?? emptyAccount;
    const address = step.opcode.name === "CREATE" ? toCreateAddress(creator, nonce) : toCreate2Address(step, creator);
    await meet(address);
    created.add(address);
  }

  async function look(step: InterpreterStep): Promise<void> {
    const { name } = step.opcode;
    if (!canRun(engine, step)) return;
    if (name === "SLOAD" || name === "SSTORE") {
      const address = toHex(step.address.bytes);
      const slot = toWord(fromStack(step, 0));
      const { storage } = await meet(address);
      if (storage.has(slot)) return;
      storage.set(slot, await overlay.getSlot(address, slot));
      budget(137);
    } else if (touching.has(name)) await meet(toAddress(fromStack(step, 0)));
    else if (calling.has(name)) await meetCallee(toAddress(fromStack(step, 1)));
    else if (name === "CREATE" || name === "CREATE2") await meetCreated(step);
  }

  let failed: unknown;
  // An event handler of two parameters is waited for.
  const onStep = (step: InterpreterStep, resolve?: () => void) => {
    // Ends the run: an error out of an event handler is none of the code's.
    if (failed) throw failed;
    look(step).then(resolve, (error: unknown) => {
      failed ??= error;
      resolve?.();
    });
  };

  await meet(message.from);
  if (message.to) await meetCallee(message.to);
  else {
    const { account } = await meet(message.from);
    const address = toCreateAddress(message.from, (account ?? emptyAccount).nonce);
    await meet(address);
    created.add(address);
  }
  await meet(engine.env.coinbase);
  for (const authorization of message.authorizationList ?? []) {
    const authority = findAuthority(authorization);
    if (authority) await meet(authority);
  }
  engine.evm.events.on("step", onStep);

  async function diff(): Promise<{ pre: Record<Address, WireAccount>; post: Record<Address, WireAccount> }> {
    const pre: Record<Address, WireAccount> = {};
    const post: Record<Address, WireAccount> = {};
    for (const [address, before] of sorted(known)) {
      const after = await read(address);
      if (before.account && !after.account) {
        pre[address] = toWire(before, before.storage, config);
        continue;
      }
      const change = toChange(before, after, config);
      const slots = { before: new Map<Hash, Hash>(), after: new Map<Hash, Hash>() };
      for (const [slot, value] of config.disableStorage ? [] : before.storage) {
        const now = await overlay.getSlot(address, slot);
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

  return {
    async finish() {
      engine.evm.events.off("step", onStep);
      if (failed) throw failed;
      if (config.diffMode) return diff();
      const pre: Record<Address, WireAccount> = {};
      for (const [address, before] of sorted(known)) {
        if (created.has(address) && isNothing(before)) continue;
        pre[address] = toWire(before, before.storage, config);
      }
      return pre;
    },
  };
}

/** Opcodes that name an account on top of the stack, and those that call the second word. */
const touching = new Set(["BALANCE", "EXTCODESIZE", "EXTCODECOPY", "EXTCODEHASH", "SELFDESTRUCT"]);
const calling = new Set(["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"]);

function toAddress(word: bigint): Address {
  return `0x${toWord(word).slice(26)}`;
}

/** EIP-1014: keccak(0xff, creator, salt, keccak(init code)). */
function toCreate2Address(step: InterpreterStep, creator: Address): Address {
  const initCode = toBytes(readMemory(step, fromStack(step, 1), fromStack(step, 2)));
  const salt = toBytes(toWord(fromStack(step, 3)));
  return toHex(keccak(concat(Uint8Array.of(0xff), toBytes(creator), salt, keccak(initCode))).subarray(12));
}

function sorted(known: Map<Address, Known>): [Address, Known][] {
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isNothing({ account, code }: Known): boolean {
  return (account?.balance ?? 0n) === 0n && (account?.nonce ?? 0n) === 0n && code === "0x";
}

/** A nonce of zero, no code and no slots are left out; an account that does not exist has a balance of zero. */
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
