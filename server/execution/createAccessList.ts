/**
 * Creates a call's access list (EIP-2930): everything that the call touches and that isn't already warm. One run is
 * enough, unless the code depends on its gas. In that case, the call runs again until the list stays the same.
 */
import { toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import { emptyAccount, type Message } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import type { AccessList, Address, Hash } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import { atState, attempt, toCallResult, toMessage } from "@/server/execution/call";
import type { Engine } from "@/server/execution/engine";
import type { ExecutionStore } from "@/server/execution/state/overlay";
import type { Applied } from "@/server/execution/transition";
import type { CreateAccessList, CreateAccessListDone } from "@/server/ports/executor";

/** The maximum number of runs. Code that depends on its own gas could alternate between two lists forever. */
const maxRounds = 16;

export function executeCreateAccessList(
  job: CreateAccessList,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<CreateAccessListDone> {
  return atState(job, store, budget, (engine) => untilComplete(() => listAtOnce(engine, job)));
}

/** Throws PendingRead if a value must be fetched first. */
export function listAtOnce(engine: Engine, job: CreateAccessList): CreateAccessListDone {
  const called = toMessage(job.call);
  const message = called.type === 0 ? { ...called, type: 1 as const } : called;
  const excluded = listExcluded(engine, message);
  const given = job.call.accessList ?? [];
  const isWarm = (address: Address) => excluded.has(address) || engine.precompiles.has(address);
  const toAccessList = (accessed: AccessList) => toSorted(accessed, given, isWarm);
  engine.listing = { kind: "warm", toAccessList };
  const first = attempt(engine, { ...message, accessList: given });
  let accessList = first.accessList ?? [];
  if (!dependsOnGas(first, message)) return { kind: "createAccessList", accessList, result: toCallResult(first) };
  engine.listing = { kind: "priced", toAccessList };
  for (let round = 1; ; round++) {
    const applied = attempt(engine, { ...message, accessList });
    const next = applied.accessList ?? [];
    if (isSame(next, accessList) || round === maxRounds) {
      return { kind: "createAccessList", accessList, result: toCallResult(applied) };
    }
    accessList = next;
  }
}

/** Whether charging gas for the access list could change how the call executes. */
function dependsOnGas({ gasNeeded, gasSpent, failure }: Applied, { gasLimit }: Message): boolean {
  return gasNeeded === undefined || failure?.kind === "outOfGas" || gasSpent > gasLimit;
}

/**
 * Accounts that are warm even without an access list, in addition to precompiles: the sender, the recipient and, since
 * EIP-7702, the authorities.
 */
function listExcluded(engine: Engine, message: Message): ReadonlySet<Address> {
  const excluded = new Set<Address>([message.from, message.to ?? findCreated(engine, message)]);
  for (const authorization of message.authorizationList ?? []) {
    const authority = findAuthority(authorization);
    if (authority) excluded.add(authority);
  }
  return excluded;
}

function findCreated({ overlay }: Engine, { from }: Message): Address {
  return toCreateAddress(from, (overlay.state.findAccount(from) ?? emptyAccount).nonce);
}

/** The accounts and slots that the run accessed or the caller listed, in ascending order. */
function toSorted(accessed: AccessList, given: AccessList, isWarm: (address: Address) => boolean): AccessList {
  const all = new Map<Address, Set<Hash>>();
  for (const { address, storageKeys } of accessed) {
    if (storageKeys.length > 0 || !isWarm(address)) all.set(address, new Set(storageKeys));
  }
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
