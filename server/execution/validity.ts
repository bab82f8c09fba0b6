/**
 * Checks whether a transaction may be part of the block, or whether a call may run. The checks follow geth's order,
 * because clients only see the first reason.
 */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { isImpersonated } from "@/server/ethereum/codec/impersonation";
import { isDelegation } from "@/server/ethereum/delegation";
import { InvalidTransactionError, type RefusalReason } from "@/server/ethereum/errors";
import type { IntrinsicGas } from "@/server/ethereum/intrinsicGas";
import { blobGasOf, type Message, type MessageKind } from "@/server/ethereum/message";
import type { ForkName } from "@/server/ethereum/spec";
import type { Account } from "@/server/ethereum/types";
import type { Engine } from "@/server/execution/engine";

/** The fork that introduced each type (EIP-2930, 1559, 4844, 7702). */
const typeForks: Partial<Record<number, ForkName>> = { 1: "berlin", 2: "london", 3: "cancun", 4: "prague" };
/** The maximum number of blobs in one transaction (EIP-7594). */
const maxBlobsPerTransaction = 6;
const maxNonce = 2n ** 64n - 1n;

/** Throws InvalidTransactionError with the standard reason. */
export function assertCanRun(
  engine: Engine,
  message: Message,
  sender: Account,
  kind: MessageKind & { baseFee: bigint; gas: IntrinsicGas },
): void {
  if (!kind.isCall) {
    assertEnvelope(engine, message);
    assertNonce(message, sender);
    if (!isImpersonated(message)) assertSender(engine, sender);
    if (engine.has("osaka") && engine.spec.transactionGasCap !== undefined) {
      refuseIf(message.gasLimit > engine.spec.transactionGasCap, "transaction gas limit too high");
    }
  }
  assertFees(engine, message, kind.baseFee);
  assertTyped(engine, message, kind);
  if (engine.has("shanghai") && message.to === undefined) {
    refuseIf((message.input.length - 2) / 2 > engine.spec.maxInitCodeSize, "max initcode size exceeded");
  }
  if (!kind.isCall) refuseIf(message.gasLimit > kind.gasLeft, "gas limit reached");
  const price = message.maxFeePerGas ?? message.gasPrice ?? 0n;
  const blobCost = blobGasOf(message) * (message.maxFeePerBlobGas ?? 0n);
  refuseIf(
    sender.balance < message.gasLimit * price + message.value + blobCost,
    "insufficient funds for gas * price + value",
  );
  const { intrinsic, floor } = kind.gas;
  refuseIf(message.gasLimit < intrinsic || message.gasLimit < floor, "intrinsic gas too low");
}

function refuseIf(condition: boolean, reason: RefusalReason): void {
  if (condition) throw new InvalidTransactionError(reason, reason);
}

function assertEnvelope(engine: Engine, message: Message): void {
  const fork = typeForks[message.type];
  refuseIf(fork !== undefined && !engine.has(fork), "transaction type not supported");
  if (message.chainId === undefined) return;
  // Before EIP-155, a signature with a chain ID in `v` was invalid.
  refuseIf(!engine.has("spuriousDragon"), "invalid sender");
  refuseIf(message.chainId !== BigInt(engine.spec.chainId), "invalid chain id for signer");
}

export function assertNonce(message: Message, sender: Account): void {
  refuseIf(message.nonce < sender.nonce, "nonce too low");
  refuseIf(message.nonce > sender.nonce, "nonce too high");
  // EIP-2681
  refuseIf(message.nonce === maxNonce, "nonce has max value");
}

/** EIP-3607, with the exception that EIP-7702 makes for delegated accounts. */
function assertSender(engine: Engine, sender: Account): void {
  if (sender.codeHash === emptyCodeHash) return;
  const mayDelegate = engine.has("prague");
  refuseIf(!mayDelegate || !isDelegation(engine.overlay.state.getCode(sender.codeHash)), "sender not an eoa");
}

export function assertFees(engine: Engine, message: Message, baseFee: bigint): void {
  if (!engine.has("london")) return;
  const cap = message.maxFeePerGas ?? message.gasPrice ?? 0n;
  refuseIf(
    (message.maxPriorityFeePerGas ?? 0n) > cap && message.maxFeePerGas !== undefined,
    "max priority fee per gas higher than max fee per gas",
  );
  refuseIf(cap < baseFee, "max fee per gas less than block base fee");
}

/**
 * Checks the requirements for blob and set code transactions. They also apply to calls with blob hashes or
 * authorizations.
 */
export function assertTyped(engine: Engine, message: Message, kind: MessageKind): void {
  const hashes = message.blobVersionedHashes;
  if (hashes !== undefined) {
    const limit = engine.has("osaka") ? maxBlobsPerTransaction : Number.MAX_SAFE_INTEGER;
    const isInvalid =
      message.to === undefined ||
      hashes.length === 0 ||
      hashes.length > limit ||
      hashes.some((hash) => !hash.startsWith("0x01"));
    refuseIf(isInvalid, "blob transaction is invalid");
    refuseIf(
      !(kind.isCall && !message.maxFeePerBlobGas) && (message.maxFeePerBlobGas ?? 0n) < (engine.blobBaseFee ?? 0n),
      "max fee per blob gas less than block blob gas fee",
    );
    refuseIf(kind.blobGasLeft !== undefined && blobGasOf(message) > kind.blobGasLeft, "blob gas limit reached");
  }
  if (message.authorizationList !== undefined) {
    refuseIf(message.to === undefined || message.authorizationList.length === 0, "set code transaction is invalid");
  }
}
