/**
 * Applies one transaction or call to the state (Yellow Paper, section 6, with EIPs 1559, 2929, 3529, 4844, 7623 and
 * 7702). If a message is invalid, throws before anything changes. If a message fails, it still pays for its gas.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import { isDelegation, toDelegation } from "@/server/ethereum/delegation";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import { blobGasOf, emptyAccount, type Message, type MessageKind } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import type { AccessList, Address, InternalTransfer, Log } from "@/server/ethereum/types";
import type { Failure } from "@/server/evm/failure";
import { toFailure } from "@/server/evm/failure";
import { type Engine, putTouched, removeAccount } from "@/server/execution/engine";
import { assertCanRun } from "@/server/execution/validity";

export type Applied = {
  /**
   * Gas that the sender pays for: the gas used after refunds, or the whole gas limit if the chain's spec charges for
   * the limit.
   */
  gasUsed: bigint;
  /** Gas used before refunds. */
  gasSpent: bigint;
  /** The lowest gas limit with the same result. Undefined if only trying different limits can find it. */
  gasNeeded: bigint | undefined;
  output: Uint8Array;
  failure?: Failure;
  logs: Log[];
  /** Value transfers and contract creations inside the transaction. */
  transfers: InternalTransfer[];
  consoleCalls: Uint8Array[];
  /** The access list of this run, if the engine lists accesses. */
  accessList?: AccessList;
  contractAddress?: Address;
  effectiveGasPrice: bigint;
  blobGasUsed: bigint;
};

/** EIP-7702: each tuple costs 25,000 gas, and half of it is refunded if the account exists. */
const existingAuthorityRefund = 12_500n;

/** Runs the message on the engine's state. Throws InvalidTransactionError if the message may not run at all. */
export function applyMessage(engine: Engine, message: Message, kind: MessageKind): Promise<Applied> {
  return untilComplete(() => applyAtOnce(engine, message, kind));
}

/**
 * Like `applyMessage`, but if a value must be fetched first, throws PendingRead. Before it throws, it reverts what it
 * did, so that it can run again.
 */
export function applyAtOnce(engine: Engine, message: Message, kind: MessageKind): Applied {
  const { overlay } = engine;
  overlay.checkpoint();
  let isDone = false;
  try {
    const applied = apply(engine, message, kind);
    isDone = true;
    return applied;
  } finally {
    if (isDone) overlay.commit();
    else overlay.revert();
  }
}

function apply(engine: Engine, message: Message, kind: MessageKind): Applied {
  const { overlay, spec, env } = engine;
  const sender = overlay.state.findAccount(message.from) ?? emptyAccount;
  // If a call has no gas price, the BASEFEE opcode returns zero.
  const isFree = kind.isCall && !(message.gasPrice ?? message.maxFeePerGas);
  const baseFee = isFree ? 0n : (env.baseFeePerGas ?? 0n);
  const before = intrinsicGas(spec, env, message);
  const { intrinsic, floor } = before;
  assertCanRun(engine, message, sender, { ...kind, baseFee, gas: before });

  const gasPrice = effectiveGasPrice(message, baseFee);
  const blobFee = blobGasOf(message) * (engine.blobBaseFee ?? 0n);
  overlay.putAccount(message.from, {
    ...sender,
    nonce: sender.nonce + 1n,
    balance: sender.balance - message.gasLimit * gasPrice - blobFee,
  });
  const authorized = message.authorizationList ? applyAuthorizations(engine, message) : nobody;

  const to = message.to ?? toCreateAddress(message.from, sender.nonce);
  const gas = message.gasLimit - intrinsic;
  const effects = engine.run({
    caller: message.from,
    to,
    isCreate: message.to === undefined,
    value: message.value,
    gas,
    input: message.input,
    gasPrice,
    blobHashes: message.blobVersionedHashes,
    warm: engine.has("berlin") ? listWarm(engine, message, authorized.warm) : [],
    accessList: message.accessList,
    isFree: isFree && !kind.keepsBaseFee,
  });

  const accessList = engine.listing?.toAccessList(effects.accessed ?? []);
  const isListPaid = engine.listing?.kind === "warm";
  const paid = isListPaid ? intrinsicGas(spec, env, { ...message, accessList: accessList ?? [] }).intrinsic : intrinsic;
  const gasSpent = paid + gas - effects.gasLeft;
  const gasUsed = toGasUsed(engine, message, gasSpent, floor, authorized.refund + effects.refund);
  settle(engine, message, { gasUsed, gasPrice, baseFee });
  // If the block's producer self-destructed, this also removes the fee that the producer was just paid.
  for (const { address, isDestructed } of effects.accounts) if (isDestructed) removeAccount(engine, address);
  const failure = toFailure(effects.failure, effects.faultOp);
  return {
    gasUsed,
    gasSpent,
    gasNeeded: effects.gasNeeded === undefined ? undefined : maxBigint(intrinsic + effects.gasNeeded, floor),
    output: effects.output,
    ...(failure ? { failure } : {}),
    logs: effects.logs,
    transfers: effects.transfers,
    consoleCalls: effects.consoleCalls,
    ...(accessList ? { accessList } : {}),
    ...(message.to === undefined ? { contractAddress: to } : {}),
    effectiveGasPrice: gasPrice,
    blobGasUsed: blobGasOf(message),
  };
}

/** The price per gas: the gas price or, since EIP-1559, the base fee plus as much of the tip as the fee cap allows. */
function effectiveGasPrice(message: Message, baseFee: bigint): bigint {
  if (message.maxFeePerGas === undefined) return message.gasPrice ?? 0n;
  const withTip = baseFee + (message.maxPriorityFeePerGas ?? 0n);
  return withTip < message.maxFeePerGas ? withTip : message.maxFeePerGas;
}

/** EIP-2929 and EIP-3651: accounts that are warm from the start, in addition to precompiles and the access list. */
function listWarm(engine: Engine, message: Message, authorities: readonly Address[]): Address[] {
  const warm = [message.from, ...authorities];
  if (message.to !== undefined) warm.push(message.to);
  if (engine.has("shanghai")) warm.push(engine.env.coinbase);
  return warm;
}

type Authorized = { refund: bigint; warm: readonly Address[] };
const nobody: Authorized = { refund: 0n, warm: [] };

/** EIP-7702: writes each valid delegation and skips invalid authorizations. */
function applyAuthorizations(engine: Engine, message: Message): Authorized {
  const { overlay, spec } = engine;
  const warm: Address[] = [];
  let refund = 0n;
  for (const authorization of message.authorizationList ?? []) {
    const { chainId, nonce, address } = authorization;
    if (chainId !== 0n && chainId !== BigInt(spec.chainId)) continue;
    if (nonce >= 2n ** 64n - 1n) continue;
    const authority = findAuthority(authorization);
    if (!authority) continue;
    warm.push(authority);
    const existing = overlay.state.findAccount(authority);
    const account = existing ?? emptyAccount;
    if (account.codeHash !== emptyCodeHash && !isDelegation(overlay.state.getCode(account.codeHash))) continue;
    if (account.nonce !== nonce) continue;
    if (existing) refund += existingAuthorityRefund;
    const code = BigInt(address) === 0n ? new Uint8Array(0) : toDelegation(address);
    overlay.putAccount(authority, { ...account, nonce: account.nonce + 1n, codeHash: overlay.addCode(code) });
  }
  return { refund, warm };
}

/** EIP-3529 limits what share of the gas is refunded. EIP-7623 sets a minimum payment. */
function toGasUsed(engine: Engine, message: Message, spent: bigint, floor: bigint, refund: bigint): bigint {
  if (engine.spec.fees.charge === "limit") return message.gasLimit;
  const most = spent / (engine.has("london") ? 5n : 2n);
  const used = spent - (refund < most ? refund : most);
  return used < floor ? floor : used;
}

/** Refunds unused gas and pays the producer. Since EIP-1559, the base fee is burned. */
function settle(engine: Engine, message: Message, paid: { gasUsed: bigint; gasPrice: bigint; baseFee: bigint }): void {
  const { overlay, env } = engine;
  const sender = overlay.state.findAccount(message.from) ?? emptyAccount;
  const unused = message.gasLimit - paid.gasUsed;
  putTouched(engine, message.from, { ...sender, balance: sender.balance + unused * paid.gasPrice });
  const coinbase = overlay.state.findAccount(env.coinbase) ?? emptyAccount;
  const tip = paid.gasUsed * (engine.has("london") ? paid.gasPrice - paid.baseFee : paid.gasPrice);
  // A balance can't overflow unless a dev control has set it. In that case, it wraps around, as in the machine.
  const balance = BigInt.asUintN(256, coinbase.balance + tip);
  // Writes the account even if nothing is paid, because the write touches it (EIP-161).
  putTouched(engine, env.coinbase, { ...coinbase, balance });
}
