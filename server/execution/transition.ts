/**
 * What one transaction or call does to the state (Yellow Paper section 6 with EIPs 1559, 2929, 3529, 4844, 7623 and
 * 7702). A message that may not run throws before it has changed anything; one that runs and fails still pays.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { toCreateAddress } from "@/server/ethereum/codec/contractAddress";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findAuthority } from "@/server/ethereum/codec/transaction";
import { isDelegation, toDelegation } from "@/server/ethereum/delegation";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import { blobGasOf, emptyAccount, type Message, type MessageKind } from "@/server/ethereum/message";
import type { Address, InternalTransfer, Log } from "@/server/ethereum/types";
import type { Failure } from "@/server/evm/failure";
import { toFailure } from "@/server/evm/failure";
import { type Engine, putTouched, removeAccount } from "@/server/execution/engine";
import { assertCanRun } from "@/server/execution/validity";

export type Applied = {
  /** What the sender pays for: gas used after refunds, or the gas limit where the spec says so. */
  gasUsed: bigint;
  /** Gas used before refunds, so the least limit with which this run could not have failed for gas. */
  gasSpent: bigint;
  /** The least gas limit with which the run would have gone the same way, where that is known without trying. */
  gasNeeded: bigint | undefined;
  output: Uint8Array;
  failure?: Failure;
  logs: Log[];
  /** Value that moved, and contracts that were made, inside the transaction. */
  transfers: InternalTransfer[];
  contractAddress?: Address;
  effectiveGasPrice: bigint;
  blobGasUsed: bigint;
};

/** EIP-7702: 25,000 was charged for each tuple, and half of it comes back where the account exists. */
const existingAuthorityRefund = 12_500n;

/** Runs the message on the engine's state. Throws InvalidTransactionError where it may not run at all. */
export async function applyMessage(engine: Engine, message: Message, kind: MessageKind): Promise<Applied> {
  const { overlay, spec, env } = engine;
  const sender = (await overlay.findAccount(message.from)) ?? emptyAccount;
  // A call that offers nothing for gas runs in a block whose base fee is zero.
  const isFree = kind.isCall && !(message.gasPrice ?? message.maxFeePerGas);
  const baseFee = isFree ? 0n : (env.baseFeePerGas ?? 0n);
  await assertCanRun(engine, message, sender, { ...kind, baseFee });

  const gasPrice = effectiveGasPrice(message, baseFee);
  const { intrinsic, floor } = intrinsicGas(spec, env, message);
  const blobFee = blobGasOf(message) * (engine.blobBaseFee ?? 0n);
  overlay.putAccount(message.from, {
    ...sender,
    nonce: sender.nonce + 1n,
    balance: sender.balance - message.gasLimit * gasPrice - blobFee,
  });
  const authorized = message.authorizationList ? await applyAuthorizations(engine, message) : nobody;

  const to = message.to ?? toCreateAddress(message.from, sender.nonce);
  const gas = message.gasLimit - intrinsic;
  const effects = await engine.run({
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

  const gasSpent = intrinsic + gas - effects.gasLeft;
  const gasUsed = toGasUsed(engine, message, gasSpent, floor, authorized.refund + effects.refund);
  await settle(engine, message, { gasUsed, gasPrice, baseFee });
  // SELFDESTRUCT takes what the producer's account was just paid, too.
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
    ...(message.to === undefined ? { contractAddress: to } : {}),
    effectiveGasPrice: gasPrice,
    blobGasUsed: blobGasOf(message),
  };
}

/** Price of one gas: what is offered, or from EIP-1559 the base fee and as much tip as the cap leaves room for. */
function effectiveGasPrice(message: Message, baseFee: bigint): bigint {
  if (message.maxFeePerGas === undefined) return message.gasPrice ?? 0n;
  const withTip = baseFee + (message.maxPriorityFeePerGas ?? 0n);
  return withTip < message.maxFeePerGas ? withTip : message.maxFeePerGas;
}

/** EIP-2929 and 3651: what is warm from the start, precompiles and the access list aside. */
function listWarm(engine: Engine, message: Message, authorities: readonly Address[]): Address[] {
  const warm = [message.from, ...authorities];
  if (message.to !== undefined) warm.push(message.to);
  if (engine.has("shanghai")) warm.push(engine.env.coinbase);
  return warm;
}

type Authorized = { refund: bigint; warm: readonly Address[] };
const nobody: Authorized = { refund: 0n, warm: [] };

/** EIP-7702: writes each valid delegation. One that is not valid is passed over. */
async function applyAuthorizations(engine: Engine, message: Message): Promise<Authorized> {
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
    const existing = await overlay.findAccount(authority);
    const account = existing ?? emptyAccount;
    if (account.codeHash !== emptyCodeHash && !isDelegation(await overlay.getCode(account.codeHash))) continue;
    if (account.nonce !== nonce) continue;
    if (existing) refund += existingAuthorityRefund;
    const code = BigInt(address) === 0n ? new Uint8Array(0) : toDelegation(address);
    overlay.putAccount(authority, { ...account, nonce: account.nonce + 1n, codeHash: overlay.addCode(code) });
  }
  return { refund, warm };
}

/** EIP-3529 halved the part of the gas used that refunds can give back; EIP-7623 sets a floor under what remains. */
function toGasUsed(engine: Engine, message: Message, spent: bigint, floor: bigint, refund: bigint): bigint {
  if (engine.spec.fees.charge === "limit") return message.gasLimit;
  const most = spent / (engine.has("london") ? 5n : 2n);
  const used = spent - (refund < most ? refund : most);
  return used < floor ? floor : used;
}

/** Gives back what was not used and pays the producer; from EIP-1559 the base fee is burnt. */
async function settle(
  engine: Engine,
  message: Message,
  paid: { gasUsed: bigint; gasPrice: bigint; baseFee: bigint },
): Promise<void> {
  const { overlay, env } = engine;
  const sender = (await overlay.findAccount(message.from)) ?? emptyAccount;
  const unused = message.gasLimit - paid.gasUsed;
  putTouched(engine, message.from, { ...sender, balance: sender.balance + unused * paid.gasPrice });
  const coinbase = (await overlay.findAccount(env.coinbase)) ?? emptyAccount;
  const tip = paid.gasUsed * (engine.has("london") ? paid.gasPrice - paid.baseFee : paid.gasPrice);
  // Written even where nothing is paid: an empty producer's account is touched, and from EIP-161 removed again.
  putTouched(engine, env.coinbase, { ...coinbase, balance: coinbase.balance + tip });
}
