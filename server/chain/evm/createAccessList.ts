/**
 * The access list (EIP-2930) of a call: what it touches that is not warm anyway. A list changes gas and so perhaps the
 * way the code takes; the call is repeated with the list it made until that no longer changes it.
 */
import type { InterpreterStep } from "@ethereumjs/evm";
import { toHex, toWord } from "@/server/chain/codec/bytes";
import { toCreateAddress } from "@/server/chain/codec/contractAddress";
import { findAuthority } from "@/server/chain/codec/transaction";
import { atState, attempt, toCallResult, toMessage } from "@/server/chain/evm/call";
import type { Engine } from "@/server/chain/evm/engine";
import type { CreateAccessList, CreateAccessListDone } from "@/server/chain/evm/executor";
import { emptyAccount, type Message } from "@/server/chain/evm/message";
import type { ExecutionStore } from "@/server/chain/evm/state/overlay";
import type { AccessList, Address, Hash } from "@/server/chain/types";

/** Code that answers to its own gas could swing between two lists for ever. */
const maxRounds = 16;

export function executeCreateAccessList(job: CreateAccessList, store: ExecutionStore): Promise<CreateAccessListDone> {
  return atState(job, store, async (engine) => {
    const message = toMessage(job.call);
    const excluded = await listExcluded(engine, message);
    let accessList = toSorted(new Map(), job.call.accessList ?? []);
    for (let round = 1; ; round++) {
      const touched = new Map<Address, Set<Hash>>();
      const onStep = (step: InterpreterStep) => record(step, touched, excluded);
      engine.evm.events.on("step", onStep);
      const applied = await attempt(engine, { ...message, type: message.type === 0 ? 1 : message.type, accessList });
      engine.evm.events.off("step", onStep);
      const next = toSorted(touched, job.call.accessList ?? []);
      if (isSame(next, accessList) || round === maxRounds) {
        return { kind: "createAccessList", accessList, result: toCallResult(applied) };
      }
      accessList = next;
    }
  });
}

/** What is warm without a list: sender, recipient, precompiles and, from EIP-7702, the authorities. */
async function listExcluded(engine: Engine, message: Message): Promise<Set<Address>> {
  const sender = (await engine.overlay.findAccount(message.from)) ?? emptyAccount;
  const excluded = new Set<Address>([message.from, message.to ?? toCreateAddress(message.from, sender.nonce)]);
  for (const precompile of engine.evm.precompiles.keys()) excluded.add(`0x${precompile}`);
  for (const authorization of message.authorizationList ?? []) {
    const authority = findAuthority(authorization);
    if (authority) excluded.add(authority);
  }
  return excluded;
}

/** Opcodes that touch the account whose address is so many places below the top of the stack. */
const addressAt: Partial<Record<string, number>> = {
  BALANCE: 0,
  EXTCODESIZE: 0,
  EXTCODECOPY: 0,
  EXTCODEHASH: 0,
  SELFDESTRUCT: 0,
  CALL: 1,
  CALLCODE: 1,
  DELEGATECALL: 1,
  STATICCALL: 1,
};

function record(step: InterpreterStep, touched: Map<Address, Set<Hash>>, excluded: ReadonlySet<Address>): void {
  const { name } = step.opcode;
  const { stack } = step;
  if (name === "SLOAD" || name === "SSTORE") {
    const slot = stack.at(-1);
    if (slot === undefined) return;
    const address = toHex(step.address.bytes);
    const slots = touched.get(address) ?? new Set();
    touched.set(address, slots.add(toWord(slot)));
    return;
  }
  const place = addressAt[name];
  const word = place === undefined ? undefined : stack.at(-1 - place);
  if (word === undefined) return;
  const address: Address = `0x${toWord(word).slice(26)}`;
  if (!excluded.has(address) && !touched.has(address)) touched.set(address, new Set());
}

/** What was touched and what the caller listed, in ascending order. */
function toSorted(touched: ReadonlyMap<Address, ReadonlySet<Hash>>, given: AccessList): AccessList {
  const all = new Map<Address, Set<Hash>>();
  for (const [address, slots] of touched) all.set(address, new Set(slots));
  for (const { address, storageKeys } of given) {
    const slots = all.get(address) ?? new Set();
    all.set(address, slots);
    for (const key of storageKeys) slots.add(key);
  }
  return [...all]
    .map(([address, slots]) => ({ address, storageKeys: [...slots].sort() }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function isSame(a: AccessList, b: AccessList): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
