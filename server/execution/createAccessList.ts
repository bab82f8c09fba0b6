/**
 * The access list (EIP-2930) of a call: everything it touches that isn't warm anyway. A list changes the gas, and so
 * may change which code runs. The call is therefore repeated with its own list until the list stays the same.
 */
import { opcodes } from "@/lib/opcodes";
import { toWord } from "@/server/ethereum/codec/bytes";
import { toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import { emptyAccount, type Message } from "@/server/ethereum/message";
import type { AccessList, Address, Hash } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import type { Step } from "@/server/evm/listener";
import { callingOpcodes, toAddress, touchingOpcodes } from "@/server/evm/tracers/step";
import { atState, attempt, toCallResult, toMessage } from "@/server/execution/call";
import type { Engine } from "@/server/execution/engine";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import type { CreateAccessList, CreateAccessListDone } from "@/server/ports/executor";

/** Code that depends on its own gas could alternate between two lists forever. */
const maxRounds = 16;

export function executeCreateAccessList(
  job: CreateAccessList,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<CreateAccessListDone> {
  return atState(job, store, budget, async (engine) => {
    const message = toMessage(job.call);
    const excluded = await listExcluded(engine, message);
    let accessList = toSorted(new Map(), job.call.accessList ?? []);
    for (let round = 1; ; round++) {
      const touched = new Map<Address, Set<Hash>>();
      engine.listener = {
        watch: [opcodes.SLOAD, opcodes.SSTORE, ...touchingOpcodes, ...callingOpcodes],
        begin() {
          touched.clear();
        },
        step(shown) {
          record(shown, touched, excluded);
        },
      };
      const applied = await attempt(engine, { ...message, type: message.type === 0 ? 1 : message.type, accessList });
      engine.listener = undefined;
      const next = toSorted(touched, job.call.accessList ?? []);
      if (isSame(next, accessList) || round === maxRounds) {
        return { kind: "createAccessList", accessList, result: toCallResult(applied) };
      }
      accessList = next;
    }
  });
}

/** Accounts that are warm without a list: sender, recipient, precompiles and, from EIP-7702, the authorities. */
async function listExcluded(engine: Engine, message: Message): Promise<Set<Address>> {
  const sender = (await engine.overlay.findAccount(message.from)) ?? emptyAccount;
  const excluded = new Set<Address>([message.from, message.to ?? toCreateAddress(message.from, sender.nonce)]);
  for (const precompile of engine.precompiles.keys()) excluded.add(precompile);
  for (const authorization of message.authorizationList ?? []) {
    const authority = findAuthority(authorization);
    if (authority) excluded.add(authority);
  }
  return excluded;
}

function record(step: Step, touched: Map<Address, Set<Hash>>, excluded: ReadonlySet<Address>): void {
  const place = callingOpcodes.has(step.op) ? 1 : 0;
  if (step.stackLength <= place) return;
  const word = step.peek(place);
  if (step.op === opcodes.SLOAD || step.op === opcodes.SSTORE) {
    const slots = touched.get(step.address) ?? new Set();
    touched.set(step.address, slots.add(toWord(word)));
    return;
  }
  const address = toAddress(word);
  if (!excluded.has(address) && !touched.has(address)) touched.set(address, new Set());
}

/** The entries that were touched and those that the caller gave, in ascending order. */
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
