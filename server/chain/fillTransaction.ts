/** Fills in the fields that a sender needs before signing: nonce, gas, fees, chain ID. Sends nothing. */

import { decodeRlp, encodeRlp, type RlpItem } from "@/lib/rlp";
import { assertChainId, type CallRequest, estimateGasAtPrice, zeroAddress } from "@/server/chain/calls";
import type { FeeReader } from "@/server/chain/feeReader";
import type { TxPool } from "@/server/chain/txpool/pool";
import { toRaisedFee } from "@/server/chain/txpool/validate";
import { maxBigint, minBigint } from "@/server/ethereum/bigints";
import { concat, toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import { InvalidTransactionError } from "@/server/ethereum/errors";
import { feeCap, tipCap } from "@/server/ethereum/fees";
import type { AccessList, Address, Authorization, Hex, Transaction } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";
import type { CallResult } from "@/server/ports/executor";

/** A transaction that is complete except for the signature. */
export type UnsignedTransaction = {
  type: 0 | 1 | 2 | 4;
  chainId: bigint;
  from: Address;
  to?: Address;
  nonce: bigint;
  gas: bigint;
  value: bigint;
  input: Hex;
  /** for types 0 and 1 */
  gasPrice?: bigint;
  /** for types 2 and 4 */
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  accessList?: AccessList;
  authorizationList?: Authorization[];
};

/** A transaction whose nonce is chosen last, so that several transactions can be prepared at the same time. */
export type PreparedTransaction = Omit<UnsignedTransaction, "nonce"> & { nonce: bigint | undefined };

/** The parts of a chain that are needed to fill in a transaction. */
export type FillSource = { calls: CallSource; fees: FeeReader; pool: Pick<TxPool, "nextNonce" | "findAt"> };

/**
 * Fills in everything except the nonce. Returns the call's result if the call fails at every gas limit. Throws
 * InvalidTransactionError if the chain ID, fees or type are invalid. The default sender is the zero address, as in
 * geth. Default fees are high enough to replace the pool's transaction with the same nonce.
 */
export async function prepareTransaction(
  { calls, fees: feeReader, pool }: FillSource,
  request: CallRequest,
): Promise<PreparedTransaction | { result: CallResult }> {
  const { from = zeroAddress } = request;
  assertChainId(request, calls.spec);
  if (request.blobVersionedHashes || request.maxFeePerBlobGas !== undefined) {
    throw new InvalidTransactionError("transaction type not supported: blob transactions cannot be filled in");
  }
  const replaced = request.nonce === undefined ? undefined : pool.findAt(from, request.nonce);
  const fees = await fillFees(calls, feeReader, request, replaced);
  const filled: CallRequest = { ...withoutFees(request), ...fees };
  if (filled.gas === undefined || filled.gas === 0n) {
    // The sender's balance is checked when the transaction is sent.
    const { gas: _, ...call } = withoutFees(request);
    const estimated = await estimateGasAtPrice(calls, { call, block: { tag: "pending" } }, fees);
    if ("result" in estimated) return estimated;
    filled.gas = estimated.gas;
  }
  return {
    type: toType(filled),
    chainId: BigInt(calls.spec.chainId),
    from,
    ...(filled.to === undefined ? {} : { to: filled.to }),
    nonce: request.nonce,
    gas: filled.gas,
    value: filled.value ?? 0n,
    input: filled.input ?? "0x",
    ...fees,
    ...(filled.accessList ? { accessList: filled.accessList } : {}),
    ...(filled.authorizationList ? { authorizationList: filled.authorizationList } : {}),
  };
}

/**
 * Fills in every field of a transaction that the caller will sign. `raw` is the payload. The caller must sign its
 * keccak hash.
 */
export async function fillTransaction(
  source: FillSource,
  request: CallRequest,
): Promise<{ raw: Uint8Array; transaction: UnsignedTransaction } | { result: CallResult }> {
  const prepared = await prepareTransaction(source, request);
  if ("result" in prepared) return prepared;
  const transaction = await fillNonce(source, prepared);
  return { raw: encodeUnsigned(transaction), transaction };
}

/** Adds the sender's next nonce, unless the transaction already has one. */
export async function fillNonce(
  { calls, pool }: Pick<FillSource, "calls" | "pool">,
  prepared: PreparedTransaction,
): Promise<UnsignedTransaction> {
  const { from, nonce = pool.nextNonce(from) } = prepared;
  return { ...prepared, nonce: nonce ?? (await calls.store.findAccount(from, calls.head().number))?.nonce ?? 0n };
}

type Fees = { gasPrice: bigint } | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/**
 * The default fee cap is twice the base fee, plus the tip. That is enough for six full blocks in a row, because each
 * full block raises the base fee by an eighth.
 */
async function fillFees(
  calls: CallSource,
  feeReader: FeeReader,
  request: CallRequest,
  replaced: Transaction | undefined,
): Promise<Fees> {
  const [leastFee, leastTip] = replaced ? [toRaisedFee(feeCap(replaced)), toRaisedFee(tipCap(replaced))] : [0n, 0n];
  const baseFee = calls.nextEnv().baseFeePerGas;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request;
  if (gasPrice !== undefined) {
    if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) {
      throw new InvalidTransactionError("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified");
    }
    if (request.authorizationList) {
      throw new InvalidTransactionError("set code transaction is invalid: use maxFeePerGas instead of gasPrice");
    }
    return { gasPrice };
  }
  if (baseFee === undefined) return { gasPrice: maxBigint(await feeReader.suggestGasPrice(), leastFee) };
  const suggested = maxPriorityFeePerGas ?? maxBigint(await feeReader.suggestTip(), leastTip);
  if (!maxFeePerGas) {
    return { maxFeePerGas: maxBigint(2n * baseFee + suggested, leastFee), maxPriorityFeePerGas: suggested };
  }
  const tip = maxPriorityFeePerGas ?? minBigint(suggested, maxFeePerGas);
  if (tip > maxFeePerGas) {
    throw new InvalidTransactionError(
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${tip}, maxFeePerGas ${maxFeePerGas}`,
    );
  }
  return { maxFeePerGas, maxPriorityFeePerGas: tip };
}

function withoutFees(request: CallRequest): CallRequest {
  const { gasPrice: _, maxFeePerGas: __, maxPriorityFeePerGas: ___, chainId: ____, ...rest } = request;
  return rest;
}

function toType(request: CallRequest): UnsignedTransaction["type"] {
  if (request.authorizationList) return 4;
  if (request.gasPrice === undefined) return 2;
  return request.accessList ? 1 : 0;
}

/** The payload to sign, as defined by EIP-155, 2930, 1559 or 7702. */
export function encodeUnsigned(transaction: UnsignedTransaction): Uint8Array {
  const { type, chainId, nonce, gas, to, value, input } = transaction;
  const recipient = to === undefined ? new Uint8Array() : toBytes(to);
  const body = [toScalar(gas), recipient, toScalar(value), toBytes(input)];
  if (type === 0) {
    const price = toScalar(transaction.gasPrice ?? 0n);
    return encodeRlp([toScalar(nonce), price, ...body, toScalar(chainId), new Uint8Array(), new Uint8Array()]);
  }
  const fees =
    type === 1
      ? [toScalar(transaction.gasPrice ?? 0n)]
      : [toScalar(transaction.maxPriorityFeePerGas ?? 0n), toScalar(transaction.maxFeePerGas ?? 0n)];
  const accessList: RlpItem = (transaction.accessList ?? []).map(({ address, storageKeys }) => [
    toBytes(address),
    storageKeys.map(toBytes),
  ]);
  const fields: RlpItem[] = [toScalar(chainId), toScalar(nonce), ...fees, ...body, accessList];
  if (type === 4) fields.push((transaction.authorizationList ?? []).map(toAuthorizationItem));
  return concat(Uint8Array.of(type), encodeRlp(fields));
}

/**
 * The consensus encoding of a signed transaction. For an impersonated account, a marker takes the place of the
 * signature.
 */
export function encodeSigned(
  transaction: UnsignedTransaction,
  { r, s, yParity }: { r: bigint; s: bigint; yParity: number },
): Uint8Array {
  const payload = encodeUnsigned(transaction);
  const signature = [toScalar(r), toScalar(s)];
  if (transaction.type === 0) {
    const fields = (decodeRlp(payload) as RlpItem[]).slice(0, 6);
    // EIP-155
    return encodeRlp([...fields, toScalar(35n + 2n * transaction.chainId + BigInt(yParity)), ...signature]);
  }
  const fields = decodeRlp(payload.subarray(1)) as RlpItem[];
  return concat(Uint8Array.of(transaction.type), encodeRlp([...fields, toScalar(yParity), ...signature]));
}

function toAuthorizationItem({ chainId, address, nonce, yParity, r, s }: Authorization): RlpItem {
  return [toScalar(chainId), toBytes(address), toScalar(nonce), toScalar(yParity), toScalar(r), toScalar(s)];
}
