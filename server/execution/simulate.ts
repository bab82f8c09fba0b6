/**
 * Builds simulated blocks from unsigned calls (eth_simulateV1). Each block is executed and sealed like a real one.
 * Nothing is stored.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { encodeWithdrawal, toBlockSize } from "@/server/ethereum/codec/block";
import { emptyBloom, toBloom } from "@/server/ethereum/codec/bloom";
import { emptyOmmersHash, keccakHex } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { encodeReceipt } from "@/server/ethereum/codec/receipt";
import { encodeUnsignedEnvelope } from "@/server/ethereum/codec/unsignedEnvelope";
import { InvalidTransactionError, type RefusalReason } from "@/server/ethereum/errors";
import { nextBaseFee, nextExcessBlobGas } from "@/server/ethereum/fees";
import { emptyAccount } from "@/server/ethereum/message";
import { toListRoot } from "@/server/ethereum/trie";
import type { Address, Block, Header, Log, Receipt, Transaction } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import { createTraceBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import type { TracerConfig } from "@/server/evm/tracers/tracer";
import { toCallResult } from "@/server/execution/call";
import { type Engine, withEngine } from "@/server/execution/engine";
import { applyOverrides } from "@/server/execution/overrides";
import { createOverlay, type ExecutionStore, type Overlay } from "@/server/execution/state/overlay";
import { createStateRoots, type StateRoots } from "@/server/execution/state/stateRoots";
import { applyWithdrawals, payRewards, startBlock, toRequestsHash } from "@/server/execution/systemCalls";
import { traceMessage } from "@/server/execution/traceMessage";
import { type TracedFrame, toTransferLogs } from "@/server/execution/transferLogs";
import { applyMessage } from "@/server/execution/transition";
import { assertFees, assertNonce, assertTyped } from "@/server/execution/validity";
import type { BlockEnv, Simulate, SimulateDone, SimulatedBlock, SimulatedCall } from "@/server/ports/executor";
import type { StateReader } from "@/server/ports/store";

const zeroAddress: Address = `0x${"00".repeat(20)}`;

type SimulatedResult = SimulateDone["blocks"][number];
/** The state that carries over to the next block. All remaining calls share `gasLeft`. */
type Simulation = {
  job: Simulate;
  overlay: Overlay;
  roots: StateRoots;
  reads: StateReader;
  gasLeft: bigint;
  budget: Budget;
  traceBytes: TraceBudget;
};

/** Throws InvalidTransactionError with the standard reason if a call may not run. */
export async function executeSimulate(
  job: Simulate,
  store: ExecutionStore,
  budget: Budget = unlimited,
): Promise<SimulateDone> {
  const base = { store, block: job.parent.number };
  const overlay = createOverlay(base);
  const baseRoot = (await store.findEditedRoot(job.parent.number)) ?? job.parent.stateRoot;
  const roots = createStateRoots(overlay, base, baseRoot);
  const made = new Map<number, Header>();
  const reads: StateReader = {
    ...store.reads,
    findBlockHash: (number) => made.get(number)?.hash ?? store.reads.findBlockHash(number),
  };
  const simulation: Simulation = {
    job,
    overlay,
    roots,
    reads,
    gasLeft: job.gas,
    budget,
    traceBytes: createTraceBudget(job.traceBytes),
  };
  const blocks: SimulatedResult[] = [];
  let parent = job.parent;
  for (const block of job.blocks) {
    const result = await makeBlock(simulation, block, parent);
    parent = result.block.header;
    made.set(parent.number, parent);
    blocks.push(result);
  }
  return { kind: "simulate", blocks };
}

function toEnv({ spec, validation }: Simulate, wanted: SimulatedBlock, parent: Header): BlockEnv {
  const { number, timestamp, coinbase, gasLimit, difficulty, prevRandao } = wanted;
  const at = { number, timestamp };
  const regularBaseFee = nextBaseFee(spec, parent, at);
  // Without validation, calls needn't pay, so the base fee is zero unless the request sets it.
  const baseFeePerGas =
    regularBaseFee === undefined ? undefined : (wanted.baseFeePerGas ?? (validation ? regularBaseFee : 0n));
  const excessBlobGas = nextExcessBlobGas(spec, parent, at);
  return {
    ...at,
    coinbase,
    gasLimit,
    difficulty,
    prevRandao,
    parentHash: parent.hash,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas, parentBeaconBlockRoot: `0x${"00".repeat(32)}` }),
  };
}

function makeBlock(simulation: Simulation, wanted: SimulatedBlock, parent: Header): Promise<SimulatedResult> {
  const { job, overlay, roots, reads, budget } = simulation;
  const env = toEnv(job, wanted, parent);
  // A request may set the blob base fee that opcodes and fees use. The header's excess blob gas is still derived from
  // the parent.
  const { blobBaseFee } = wanted;
  return withEngine({ spec: job.spec, env, overlay, reads, budget, blobBaseFee }, async (engine) => {
    if (wanted.overrides) await applyOverrides(engine, wanted.overrides, budget);
    await startBlock(engine);
    const body = await applyCalls(engine, simulation, wanted);
    const withdrawals = engine.has("shanghai") ? wanted.withdrawals : undefined;
    if (withdrawals) await applyWithdrawals(engine, withdrawals);
    if (!engine.has("paris")) await payRewards(engine, []);
    const requestsHash = engine.has("prague") ? await toRequestsHash(engine, body.receipts) : undefined;
    const header = toHeader({
      parentHash: parent.hash,
      ommersHash: emptyOmmersHash,
      coinbase: env.coinbase,
      stateRoot: await roots.root(),
      transactionsRoot: await toListRoot(body.transactions.map(({ raw }) => raw)),
      receiptsRoot: await toListRoot(body.receipts.map(encodeReceipt)),
      logsBloom: body.receipts.length === 0 ? emptyBloom : toBloom(body.receipts.flatMap(({ logs }) => logs)),
      difficulty: env.difficulty,
      number: env.number,
      gasLimit: env.gasLimit,
      gasUsed: body.gasUsed,
      timestamp: env.timestamp,
      extraData: "0x",
      mixHash: env.prevRandao,
      nonce: "0x0000000000000000",
      ...(env.baseFeePerGas === undefined ? {} : { baseFeePerGas: env.baseFeePerGas }),
      ...(withdrawals ? { withdrawalsRoot: await toListRoot(withdrawals.map(encodeWithdrawal)) } : {}),
      ...(env.excessBlobGas === undefined ? {} : { blobGasUsed: body.blobGasUsed, excessBlobGas: env.excessBlobGas }),
      ...(env.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: env.parentBeaconBlockRoot }),
      ...(requestsHash === undefined ? {} : { requestsHash }),
    });
    const parts = { header, transactions: body.transactions, ommers: [], ...(withdrawals ? { withdrawals } : {}) };
    const block: Block = { ...parts, size: toBlockSize(parts) };
    return { block, calls: body.calls };
  });
}

type Body = {
  transactions: Transaction[];
  receipts: Receipt[];
  calls: SimulatedResult["calls"];
  gasUsed: bigint;
  blobGasUsed: bigint;
};

/** The frames of this tracer include the transfers. */
const transferTracer: TracerConfig = { tracer: "callTracer", onlyTopCall: false, withLog: true };

async function applyCalls(engine: Engine, simulation: Simulation, wanted: SimulatedBlock): Promise<Body> {
  const { job } = simulation;
  const body: Body = { transactions: [], receipts: [], calls: [], gasUsed: 0n, blobGasUsed: 0n };
  let nextLogIndex = 0;
  for (const call of wanted.calls) {
    const transaction = await toTransaction(engine, simulation, call, body.gasUsed);
    if (job.validation) await assertValid(engine, transaction);
    const kind = { isCall: true, keepsBaseFee: true, gasLeft: transaction.gasLimit };
    const apply = () => applyMessage(engine, transaction, kind);
    const { applied, trace } = job.traceTransfers
      ? await traceMessage(
          engine,
          { message: transaction, config: transferTracer, budget: simulation.traceBytes },
          apply,
        )
      : { applied: await apply(), trace: undefined };
    const traced = trace as TracedFrame | undefined;
    body.gasUsed += applied.gasUsed;
    body.blobGasUsed += applied.blobGasUsed;
    simulation.gasLeft -= applied.gasUsed;
    const shown = traced ? toTransferLogs(traced, nextLogIndex) : toIndexed(applied.logs, nextLogIndex);
    body.transactions.push(transaction);
    body.receipts.push({
      type: transaction.type,
      ...(engine.has("byzantium") ? { status: applied.failure ? 0 : 1 } : { stateRoot: await simulation.roots.root() }),
      cumulativeGasUsed: body.gasUsed,
      gasUsed: applied.gasUsed,
      effectiveGasPrice: applied.effectiveGasPrice,
      logsBloom: toBloom(applied.logs),
      logs: applied.logs,
      firstLogIndex: nextLogIndex,
    });
    const maxUsedGas = maxBigint(applied.gasSpent, applied.gasUsed);
    const logs = shown.logs.map(({ log }) => log);
    const logIndices = shown.logs.map(({ index }) => index);
    body.calls.push({ ...toCallResult(applied), logs, logIndices, maxUsedGas });
    nextLogIndex = shown.nextIndex;
  }
  return body;
}

function toIndexed(logs: readonly Log[], firstIndex: number): ReturnType<typeof toTransferLogs> {
  return {
    logs: logs.map((log, position) => ({ log, index: firstIndex + position })),
    nextIndex: firstIndex + logs.length,
  };
}

/** Fills in missing fields like geth, so that the hashes are the same as in geth. */
async function toTransaction(
  engine: Engine,
  { gasLeft }: Simulation,
  call: SimulatedCall,
  gasUsedInBlock: bigint,
): Promise<Transaction> {
  const { spec, env } = engine;
  const from = call.from ?? zeroAddress;
  const blockGasLeft = env.gasLimit - gasUsedInBlock;
  const wantedGas = call.gas ?? blockGasLeft;
  if (wantedGas > blockGasLeft) refuse("gas limit reached");
  const unsigned = {
    ...toTyped(call, env),
    from,
    chainId: BigInt(spec.chainId),
    nonce: call.nonce ?? (await engine.overlay.findAccount(from))?.nonce ?? 0n,
    gasLimit: wantedGas < gasLeft ? wantedGas : gasLeft,
    ...(call.to === undefined ? {} : { to: call.to }),
    value: call.value ?? 0n,
    input: call.input ?? "0x",
    yParity: 0,
    v: 0n,
    r: 0n,
    s: 0n,
  } as const;
  const raw = encodeUnsignedEnvelope(unsigned);
  return { ...unsigned, raw, hash: keccakHex(raw) };
}

/**
 * The call's fields determine the type. Authorizations mean type 4, and blob hashes mean type 3. All other calls are
 * type 2, unless they have a gas price or run before London. In these cases, they are legacy, or type 1 if they have an
 * access list.
 */
function toTyped(call: SimulatedCall, env: BlockEnv) {
  const { accessList, authorizationList, blobVersionedHashes } = call;
  const isPriced = call.gasPrice !== undefined || env.baseFeePerGas === undefined;
  if (isPriced && !authorizationList && !blobVersionedHashes) {
    const gasPrice = call.gasPrice ?? 0n;
    return accessList ? ({ type: 1, gasPrice, accessList } as const) : ({ type: 0, gasPrice } as const);
  }
  const fees = {
    maxFeePerGas: call.maxFeePerGas ?? call.gasPrice ?? 0n,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? call.gasPrice ?? 0n,
    accessList: accessList ?? [],
  };
  if (authorizationList) return { type: 4, ...fees, authorizationList } as const;
  if (!blobVersionedHashes) return { type: 2, ...fees } as const;
  return { type: 3, ...fees, blobVersionedHashes, maxFeePerBlobGas: call.maxFeePerBlobGas ?? 0n } as const;
}

/** With validation, a call needs the sender's next nonce and valid fees; its signature is never checked. */
async function assertValid(engine: Engine, transaction: Transaction): Promise<void> {
  assertNonce(transaction, (await engine.overlay.findAccount(transaction.from)) ?? emptyAccount);
  assertFees(engine, transaction, engine.env.baseFeePerGas ?? 0n);
  assertTyped(engine, transaction, { isCall: false, gasLeft: transaction.gasLimit });
}

function refuse(reason: RefusalReason): never {
  throw new InvalidTransactionError(reason, reason);
}
