/**
 * Encodes an unsigned transaction as if it were signed, with zeros for the signature. Only used in simulated blocks.
 */

import { encodeRlp, type RlpItem } from "@/lib/rlp";
import { concat, toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import type { Transaction } from "@/server/ethereum/types";

export function encodeUnsignedEnvelope(transaction: Omit<Transaction, "raw" | "hash">): Uint8Array {
  const { type, nonce, gasLimit, to, value, input, accessList = [] } = transaction;
  const none = new Uint8Array();
  const signature = [none, none, none];
  const body = [toScalar(gasLimit), to === undefined ? none : toBytes(to), toScalar(value), toBytes(input)];
  const price = toScalar(transaction.gasPrice ?? 0n);
  if (type === 0) return encodeRlp([toScalar(nonce), price, ...body, ...signature]);
  const fees =
    type === 1 ? [price] : [toScalar(transaction.maxPriorityFeePerGas ?? 0n), toScalar(transaction.maxFeePerGas ?? 0n)];
  const list: RlpItem = accessList.map(({ address, storageKeys }) => [toBytes(address), storageKeys.map(toBytes)]);
  const fields: RlpItem[] = [toScalar(transaction.chainId ?? 0n), toScalar(nonce), ...fees, ...body, list];
  if (type === 3) {
    fields.push(toScalar(transaction.maxFeePerBlobGas ?? 0n), (transaction.blobVersionedHashes ?? []).map(toBytes));
  }
  if (type === 4) {
    fields.push(
      (transaction.authorizationList ?? []).map(({ chainId, address, nonce: authorityNonce, yParity, r, s }) => [
        toScalar(chainId),
        toBytes(address),
        toScalar(authorityNonce),
        toScalar(yParity),
        toScalar(r),
        toScalar(s),
      ]),
    );
  }
  return concat(Uint8Array.of(type), encodeRlp([...fields, ...signature]));
}
