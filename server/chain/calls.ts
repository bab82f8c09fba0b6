/** Runs calls, gas estimates and access lists: turns a request into an executor job. Never changes the chain. */

import { toBlockEnv } from "@/server/chain/blockEnv";
import { minBigint } from "@/server/ethereum/bigints";
import { CallGasError, InvalidTransactionError, isInvalidTransaction } from "@/server/ethereum/errors";
import { blobBaseFee, toExcessBlobGas } from "@/server/ethereum/fees";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, BlockRef, Hash } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";
import type {
  BlockEnv,
  CallMessage,
  CallResult,
  CreateAccessListDone,
  EstimateGasDone,
  SimulatedCall,
  StateOverrides,
} from "@/server/ports/executor";

/** A transaction with every field optional. */
export type CallRequest = SimulatedCall & { chainId?: bigint };

export type BlockOverrides = {
  number?: number;
  /** Seconds. */
  time?: number;
  gasLimit?: bigint;
  feeRecipient?: Address;
  prevRandao?: Hash;
  baseFeePerGas?: bigint;
  blobBaseFee?: bigint;
  difficulty?: bigint;
};

export type CallQuery = {
  call: CallRequest;
  /**
   * The call runs in this block's environment, on the state at the end of the block. The default is the latest block.
   */
  block?: BlockRef;
  stateOverrides?: StateOverrides;
  blockOverrides?: BlockOverrides;
};

export const zeroAddress: Address = `0x${"00".repeat(20)}`;

/**
 * Runs a call. A revert or other failure is part of the result. Throws InvalidTransactionError if the call is invalid,
 * CallGasError if it exceeds the node's gas limit, UnknownBlockError, QueueFullError or JobTimeoutError.
 */
export async function callAt(chain: CallSource, query: CallQuery): Promise<CallResult> {
  const { result } = await chain.executor.run(
    { kind: "call", ...(await prepareCall(chain, query)), ...(chain.onConsole && { recordsConsole: true }) },
    { store: chain.store, client: chain.client },
  );
  if (result.consoleCalls) chain.onConsole?.(result.consoleCalls);
  assertWithinGas(chain, query, result);
  return result;
}

/**
 * The smallest sufficient gas limit, or the call's result if the call fails at every limit. Throws the same errors as
 * `callAt`.
 */
export async function estimateGasAt(chain: CallSource, query: CallQuery): Promise<EstimateGasDone> {
  const job = await prepareCall(chain, withoutSender(query));
  const cap = chain.spec.transactionGasCap;
  // The estimate is used for a transaction, so EIP-7825's gas cap applies. Calls have no such cap.
  const gas = cap === undefined ? job.call.gas : minBigint(job.call.gas, cap);
  const done = await chain.executor.run(
    { kind: "estimateGas", ...job, call: { ...job.call, gas } },
    { store: chain.store, client: chain.client },
  );
  if ("result" in done) assertWithinGas(chain, query, done.result);
  return done;
}

/**
 * Like `estimateGasAt`, but with the transaction's gas price, because a contract may read the price: for example, a
 * Safe that refunds gas. If the sender can't pay that price, estimates as if gas were free.
 */
export async function estimateGasAtPrice(
  chain: CallSource,
  query: CallQuery,
  fees: Pick<CallRequest, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">,
): Promise<EstimateGasDone> {
  try {
    const done = await estimateGasAt(chain, { ...query, call: { ...query.call, ...fees } });
    // With a price, gas is capped at the amount that the sender can pay for, so the call may have run out of gas.
    if ("gas" in done || done.result.failure?.kind !== "outOfGas") return done;
  } catch (error) {
    if (!isInvalidTransaction(error)) throw error;
  }
  return estimateGasAt(chain, query);
}

/**
 * If the call names no sender, the zero address pays for it. Gives that address a large balance, as it has on public
 * chains.
 */
function withoutSender(query: CallQuery): CallQuery {
  const { from, value, gasPrice, maxFeePerGas } = query.call;
  if (from !== undefined || !(value || gasPrice || maxFeePerGas)) return query;
  return { ...query, stateOverrides: { [zeroAddress]: { balance: 2n ** 128n }, ...query.stateOverrides } };
}

/** The call's access list, and the result of the call with that list. Throws the same errors as `callAt`. */
export async function createAccessListAt(chain: CallSource, query: CallQuery): Promise<CreateAccessListDone> {
  const { executor, store, client } = chain;
  return executor.run({ kind: "createAccessList", ...(await prepareCall(chain, query)) }, { store, client });
}

/** Throws CallGasError if the call ran out of gas because of the node's limit. */
function assertWithinGas(chain: CallSource, { call }: CallQuery, result: CallResult): void {
  const isOpen = call.gas === undefined || call.gas > chain.callGas;
  if (result.failure?.kind !== "outOfGas" || !isOpen || result.gasUsed < chain.callGas) return;
  throw new CallGasError(chain.callGas);
}

/** Builds the executor job for a call, without its `kind`. */
export async function prepareCall(chain: CallSource, query: CallQuery) {
  const { spec } = chain;
  const block = query.block ?? { tag: "latest" };
  const chainVersion = chain.chainVersion();
  const header = await chain.getHeader(block);
  // For `pending`, uses the next block's environment, because a transaction sent now would run in that block. On an
  // idle chain, the head's environment is out of date.
  const isPending = "tag" in block && block.tag === "pending";
  const env = toOverriddenEnv(spec, isPending ? chain.nextEnv() : toBlockEnv(header), query.blockOverrides);
  const call = toCallMessage(query.call, spec, env, chain.callGas);
  const overrides = query.stateOverrides;
  if (query.call.gas === undefined && call.gasPrice > 0n) {
    const balance = await readBalance(chain, call.from, header.number, overrides);
    call.gas = toAffordableGas(call, balance);
  }
  const at = { chainVersion, hash: header.hash };
  const preceding = isPending ? chain.listPreceding() : [];
  return {
    spec,
    env,
    stateBlock: header.number,
    at,
    call,
    ...(overrides && { overrides }),
    ...(preceding.length > 0 && { preceding: preceding.map(({ raw, from }) => ({ raw, from })) }),
  };
}

/**
 * Fills in missing fields. Gas is capped at both the node's call limit and the block's gas limit, as in geth. Calls
 * with no fees or zero fees are not charged. Throws InvalidTransactionError.
 */
export function toCallMessage(request: CallRequest, spec: ChainSpec, env: BlockEnv, gasCap: bigint): CallMessage {
  const { gas } = request;
  assertChainId(request, spec);
  const limit = minBigint(gasCap, env.gasLimit);
  const message: CallMessage = {
    from: request.from ?? zeroAddress,
    gas: gas === undefined ? limit : minBigint(gas, limit),
    value: request.value ?? 0n,
    input: request.input ?? "0x",
    gasPrice: toEffectivePrice(request, env.baseFeePerGas ?? 0n),
  };
  // Copies the fields one by one, because spreading the objects takes as long as running a small call.
  if (request.to !== undefined) message.to = request.to;
  if (request.nonce !== undefined) message.nonce = request.nonce;
  const cap = toFeeCap(request, env.baseFeePerGas ?? 0n);
  if (cap !== undefined) message.maxFeePerGas = cap;
  if (request.maxPriorityFeePerGas !== undefined) message.maxPriorityFeePerGas = request.maxPriorityFeePerGas;
  if (request.maxFeePerBlobGas !== undefined) message.maxFeePerBlobGas = request.maxFeePerBlobGas;
  if (request.blobVersionedHashes !== undefined) message.blobVersionedHashes = request.blobVersionedHashes;
  if (request.accessList !== undefined) message.accessList = request.accessList;
  if (request.authorizationList !== undefined) message.authorizationList = request.authorizationList;
  return message;
}

export function assertChainId({ chainId }: CallRequest, spec: ChainSpec): void {
  if (chainId === undefined || chainId === BigInt(spec.chainId)) return;
  throw new InvalidTransactionError(`invalid chain id for signer: have ${chainId}, want ${spec.chainId}`);
}

/** If only a priority fee is given, the max fee is high enough not to limit it, as in eth_fillTransaction. */
function toFeeCap({ maxFeePerGas, maxPriorityFeePerGas }: CallRequest, baseFee: bigint): bigint | undefined {
  return maxFeePerGas ?? (maxPriorityFeePerGas ? baseFee + maxPriorityFeePerGas : undefined);
}

function toEffectivePrice(request: CallRequest, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request;
  if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
    throw new InvalidTransactionError("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified");
  }
  const tip = maxPriorityFeePerGas ?? 0n;
  const cap = gasPrice ?? toFeeCap(request, baseFee) ?? 0n;
  if (cap === 0n && tip === 0n) return 0n;
  if (tip > cap) {
    throw new InvalidTransactionError(
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${tip}, maxFeePerGas ${cap}`,
    );
  }
  if (cap < baseFee) {
    throw new InvalidTransactionError(
      `max fee per gas less than block base fee: maxFeePerGas ${cap}, baseFee ${baseFee}`,
    );
  }
  return gasPrice ?? minBigint(cap, baseFee + tip);
}

/** If the caller sets no gas limit, gas is capped at the amount that the sender can pay for. */
function toAffordableGas(call: CallMessage, balance: bigint): bigint {
  if (balance < call.value) {
    throw new InvalidTransactionError(
      `insufficient funds for gas * price + value: balance ${balance}, value ${call.value}`,
      "insufficient funds for gas * price + value",
    );
  }
  return minBigint(call.gas, (balance - call.value) / (call.maxFeePerGas ?? call.gasPrice));
}

async function readBalance(chain: CallSource, address: Address, block: number, overrides: StateOverrides | undefined) {
  const overridden = overrides?.[address]?.balance;
  if (overridden !== undefined) return overridden;
  return (await chain.store.findAccount(address, block))?.balance ?? 0n;
}

function toOverriddenEnv(spec: ChainSpec, seen: BlockEnv, overrides: BlockOverrides | undefined): BlockEnv {
  if (!overrides) return seen;
  const { time, feeRecipient, blobBaseFee: _, ...fields } = overrides;
  const env = { ...seen, ...fields };
  if (time !== undefined) env.timestamp = time;
  if (feeRecipient !== undefined) env.coinbase = feeRecipient;
  if (overrides.blobBaseFee !== undefined && blobBaseFee(spec, env, 0n) !== undefined) {
    env.excessBlobGas = toExcessBlobGas(spec, env, overrides.blobBaseFee);
  }
  return env;
}
