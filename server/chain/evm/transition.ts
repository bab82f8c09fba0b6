/**
 * What one transaction or call does to the state (Yellow Paper section 6 with EIPs 1559, 2929, 3529, 4844, 7623 and
 * 7702). A message that may not run throws before it has changed anything; one that runs and fails still pays.
 */
import type { EVMResult } from "@ethereumjs/evm";
import { toBytes, toHex } from "@/server/chain/codec/bytes";
import { toCreateAddress } from "@/server/chain/codec/contractAddress";
import { emptyCodeHash } from "@/server/chain/codec/hash";
import { findAuthority } from "@/server/chain/codec/transaction";
import { isDelegation, toDelegation } from "@/server/chain/evm/delegation";
import { type Engine, toEngineAddress, withBaseFee } from "@/server/chain/evm/engine";
import type { Failure } from "@/server/chain/evm/executor";
import { toFailure } from "@/server/chain/evm/failure";
import { blobGasOf, emptyAccount, type Message, type MessageKind } from "@/server/chain/evm/message";
import { toEngineAccount } from "@/server/chain/evm/state/stateManager";
import { assertCanRun } from "@/server/chain/evm/validity";
import { intrinsicGas } from "@/server/chain/txpool/intrinsicGas";
import type { Address, Log } from "@/server/chain/types";

export type Applied = {
  /** What the sender pays for: gas used after refunds, or the gas limit where the spec says so. */
  gasUsed: bigint;
  /** Gas used before refunds, so the least limit with which this run could not have failed for gas. */
  gasSpent: bigint;
  output: Uint8Array;
  failure?: Failure;
  logs: Log[];
  contractAddress?: Address;
  effectiveGasPrice: bigint;
  blobGasUsed: bigint;
};

/** EIP-7702: 25,000 was charged for each tuple, and half of it comes back where the account exists. */
const existingAuthorityRefund = 12_500n;

/** Runs the message on the engine's state. Throws InvalidTransactionError where it may not run at all. */
export async function applyMessage(engine: Engine, message: Message, kind: MessageKind): Promise<Applied> {
  const { evm, overlay, spec, env } = engine;
  const sender = (await overlay.findAccount(message.from)) ?? emptyAccount;
  // A call that offers nothing for gas runs in a block whose base fee is zero.
  const isFree = kind.isCall && !(message.gasPrice ?? message.maxFeePerGas);
  const baseFee = isFree ? 0n : (env.baseFeePerGas ?? 0n);
  await assertCanRun(engine, message, sender, { ...kind, baseFee });

  const gasPrice = effectiveGasPrice(message, baseFee);
  const { intrinsic, floor } = intrinsicGas(spec, env, message);
  const blobFee = blobGasOf(message) * (engine.blobBaseFee ?? 0n);
  overlay.beginTransaction();
  overlay.putAccount(message.from, {
    ...sender,
    nonce: sender.nonce + 1n,
    balance: sender.balance - message.gasLimit * gasPrice - blobFee,
  });
  if (engine.has("berlin")) warm(engine, message);
  const authorityRefund = message.authorizationList ? await applyAuthorizations(engine, message) : 0n;

  const contractNonce = sender.nonce;
  const result = await evm.runCall({
    block:
      isFree && !kind.keepsBaseFee && env.baseFeePerGas !== undefined ? withBaseFee(engine.block, 0n) : engine.block,
    caller: toEngineAddress(message.from),
    gasPrice,
    gasLimit: message.gasLimit - intrinsic,
    ...(message.to === undefined ? {} : { to: toEngineAddress(message.to) }),
    value: message.value,
    data: toBytes(message.input),
    ...(message.blobVersionedHashes ? { blobVersionedHashes: message.blobVersionedHashes } : {}),
    skipNonceIncrement: true,
  });

  const gasSpent = intrinsic + result.execResult.executionGasUsed;
  const gasUsed = toGasUsed(engine, message, gasSpent, floor, authorityRefund + (result.execResult.gasRefund ?? 0n));
  await settle(engine, message, { gasUsed, gasPrice, baseFee });
  await destroy(engine, result);
  await evm.journal.cleanup();
  const failure = toFailure(result.execResult);
  return {
    gasUsed,
    gasSpent,
    output: result.execResult.returnValue,
    ...(failure ? { failure } : {}),
    logs: (result.execResult.logs ?? []).map(([address, topics, data]) => ({
      address: toHex(address),
      topics: topics.map(toHex),
      data: toHex(data),
    })),
    ...(message.to === undefined ? { contractAddress: toCreateAddress(message.from, contractNonce) } : {}),
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

/** EIP-2929, 2930 and 3651: what is warm from the start. */
function warm(engine: Engine, message: Message): void {
  const { journal } = engine.evm;
  for (const address of engine.precompiles) journal.addAlwaysWarmAddress(address);
  journal.addAlwaysWarmAddress(message.from);
  if (message.to !== undefined) journal.addAlwaysWarmAddress(message.to);
  if (engine.has("shanghai")) journal.addAlwaysWarmAddress(engine.env.coinbase);
  for (const { address, storageKeys } of message.accessList ?? []) {
    journal.addAlwaysWarmAddress(address, true);
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key, true);
  }
}

/** EIP-7702: writes each valid delegation and answers the refund. One that is not valid is passed over. */
async function applyAuthorizations(engine: Engine, message: Message): Promise<bigint> {
  const { overlay, evm, spec } = engine;
  let refund = 0n;
  for (const authorization of message.authorizationList ?? []) {
    const { chainId, nonce, address } = authorization;
    if (chainId !== 0n && chainId !== BigInt(spec.chainId)) continue;
    if (nonce >= 2n ** 64n - 1n) continue;
    const authority = findAuthority(authorization);
    if (!authority) continue;
    evm.journal.addAlwaysWarmAddress(authority);
    const existing = await overlay.findAccount(authority);
    const account = existing ?? emptyAccount;
    if (account.codeHash !== emptyCodeHash && !isDelegation(await overlay.getCode(account.codeHash))) continue;
    if (account.nonce !== nonce) continue;
    if (existing) refund += existingAuthorityRefund;
    const code = BigInt(address) === 0n ? new Uint8Array(0) : toDelegation(address);
    overlay.putAccount(authority, { ...account, nonce: account.nonce + 1n, codeHash: overlay.addCode(code) });
  }
  return refund;
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
  const { overlay, evm, env } = engine;
  const sender = (await overlay.findAccount(message.from)) ?? emptyAccount;
  const unused = message.gasLimit - paid.gasUsed;
  await evm.journal.putAccount(
    toEngineAddress(message.from),
    toEngineAccount({ ...sender, balance: sender.balance + unused * paid.gasPrice }),
  );
  const coinbase = (await overlay.findAccount(env.coinbase)) ?? emptyAccount;
  const tip = paid.gasUsed * (engine.has("london") ? paid.gasPrice - paid.baseFee : paid.gasPrice);
  // Written even where nothing is paid: an empty producer's account is touched, and from EIP-161 removed again.
  await evm.journal.putAccount(
    toEngineAddress(env.coinbase),
    toEngineAccount({ ...coinbase, balance: coinbase.balance + tip }),
  );
}

/** Removes what SELFDESTRUCT marked; from EIP-6780 only what the same transaction created. */
async function destroy(engine: Engine, result: EVMResult): Promise<void> {
  for (const address of result.execResult.selfdestruct?.keys() ?? []) {
    if (engine.has("cancun") && !result.execResult.createdAddresses?.has(address)) continue;
    await engine.evm.journal.deleteAccount(toEngineAddress(address));
  }
}
