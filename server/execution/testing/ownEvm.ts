/**
 * For tests: runs one transaction on a given state with Tollscan's engine, through the same transition that blocks use.
 */
import { toHex } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { InvalidTransactionError, MalformedTransactionError } from "@/server/ethereum/errors";
import { maxBlobGas } from "@/server/ethereum/fees";
import { isForkActive } from "@/server/ethereum/forks";
import { emptyAccount, type Message } from "@/server/ethereum/message";
import { type ChainSpec, type ForkName, forkNames, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Hash, Header } from "@/server/ethereum/types";
import type { Budget } from "@/server/evm/budget";
import type { Listener } from "@/server/evm/listener";
import { withEngine } from "@/server/execution/engine";
import { executeGenesis } from "@/server/execution/genesis";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { createStateRoots, type StateRoots } from "@/server/execution/state/stateRoots";
import type { EvmCase, EvmOutcome, WorldState } from "@/server/execution/testing/evmCase";
import { createMemoryStore } from "@/server/execution/testing/memoryStore";
import { type Applied, applyMessage } from "@/server/execution/transition";
import type { BlockEnv } from "@/server/ports/executor";
import type { StateReader } from "@/server/ports/store";

const specs = new Map<ForkName, ChainSpec>();

/** A spec for chain 1 that applies one fork's rules from the first block on. */
export function toForkSpec(fork: ForkName): ChainSpec {
  const known = specs.get(fork);
  if (known) return known;
  const spec = toEmbeddedSpec(1);
  const forks = spec.forks.slice(0, forkNames.indexOf(fork) + 1);
  const made = { ...spec, forks };
  specs.set(fork, made);
  return made;
}

/** As in the published tests, the hash of a block is the keccak hash of its number in decimal. */
export function hashOfBlock(number: number): Hash {
  return keccakHex(Buffer.from(String(number)));
}

/** The message's result, or the reason that the message may not run. `roots` includes the state after the message. */
export type AppliedToWorld = { roots: StateRoots; applied?: Applied; refusal?: string };

export async function applyToWorld(
  spec: ChainSpec,
  env: BlockEnv,
  world: Record<Address, GenesisAccount>,
  toMessage: () => Message,
  options: { isCall: boolean; budget?: Budget | undefined; listener?: Listener | undefined },
): Promise<AppliedToWorld> {
  const genesis = await executeGenesis({ kind: "genesis", spec, alloc: world });
  const memory = createMemoryStore();
  memory.commit({ number: 0 } as Header, genesis.state);
  const reads: StateReader = { ...memory.reads, findBlockHash: hashOfBlock };
  const store: ExecutionStore = { ...memory, reads };
  const base = { store, block: 0 };
  const overlay = createOverlay(base);
  const roots = createStateRoots(overlay, base, genesis.stateRoot);
  const kind = { isCall: options.isCall, gasLeft: env.gasLimit, blobGasLeft: maxBlobGas(spec, env) };
  try {
    const message = toMessage();
    const job = { spec, env, overlay, reads, ...(options.budget && { budget: options.budget }) };
    const applied = await withEngine(job, async (engine) => {
      engine.listener = options.listener;
      return applyMessage(engine, message, kind);
    });
    // The published tests pay a reward of zero at the end. Before EIP-161, that leaves an empty account behind.
    if (!isForkActive(spec, "spuriousDragon", env)) {
      overlay.putAccount(env.coinbase, (await overlay.findAccount(env.coinbase)) ?? emptyAccount);
    }
    return { roots, applied };
  } catch (error) {
    if (!(error instanceof InvalidTransactionError || error instanceof MalformedTransactionError)) throw error;
    return { roots, refusal: error.message };
  }
}

/** Runs a case of the fuzzer. */
export async function runOwn(evmCase: EvmCase, budget?: Budget): Promise<EvmOutcome> {
  return { ...(await runOwnInFull(evmCase, { budget })), gasNeeded: undefined };
}

/** Like `runOwn`, but also returns how much gas the run needed, according to the engine. */
export async function runOwnInFull(
  { fork, env, world, message }: EvmCase,
  watched: { budget?: Budget | undefined; listener?: Listener | undefined } = {},
): Promise<EvmOutcome> {
  const options = { isCall: true, ...watched };
  const { roots, applied, refusal } = await applyToWorld(toForkSpec(fork), env, world, () => message, options);
  if (!applied) return { refusal: refusal ?? "" };
  await roots.root();
  const { failure } = applied;
  return {
    status: failure === undefined ? "success" : failure.kind === "revert" ? "revert" : "halt",
    gasSpent: applied.gasSpent,
    gasUsed: applied.gasUsed,
    output: toHex(applied.output),
    logs: applied.logs,
    state: await readState(world, roots),
    gasNeeded: applied.gasNeeded ?? "looks",
  };
}

/** The accounts after the run: the case's initial accounts plus the changes in `roots`. */
async function readState(world: EvmCase["world"], roots: StateRoots): Promise<WorldState> {
  const state: WorldState = new Map();
  for (const [address, { balance, nonce = 0n, code = "0x", storage = {} }] of Object.entries(world)) {
    const codeHash = keccakHex(Buffer.from(code.slice(2), "hex"));
    state.set(address as Address, {
      balance,
      nonce,
      codeHash,
      storage: new Map(Object.entries(storage) as [Hash, Hash][]),
    });
  }
  const { accounts, storage } = await roots.changes();
  for (const { address, account } of accounts) {
    if (!account) state.delete(address);
    else state.set(address, { ...account, storage: state.get(address)?.storage ?? new Map() });
  }
  for (const { address, slot, value } of storage) {
    const slots = state.get(address)?.storage;
    if (BigInt(value) === 0n) slots?.delete(slot);
    else slots?.set(slot, value);
  }
  return state;
}
