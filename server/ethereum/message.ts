/**
 * A transaction or call as the state transition sees it.
 */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { gasPerBlob } from "@/server/ethereum/fees";
import type { Account, Transaction } from "@/server/ethereum/types";

/**
 * The fields of a transaction that execution needs. A call has only these. The signature shows whether the sender is
 * impersonated.
 */
export type Message = Omit<Transaction, "hash" | "yParity" | "v" | "r" | "s" | "raw"> &
  Partial<Pick<Transaction, "r" | "s">>;

export type MessageKind = {
  /** A call doesn't need the next nonce or a sender with a key, and doesn't have to fit in the block's gas limit. */
  isCall: boolean;
  /** A call with a gas price of zero still sees the block's base fee. */
  keepsBaseFee?: boolean;
  /** Gas left in the block. */
  gasLeft: bigint;
  /** Blob gas left in the block. */
  blobGasLeft?: bigint | undefined;
};

export const emptyAccount: Account = { nonce: 0n, balance: 0n, codeHash: emptyCodeHash };

export function blobGasOf(message: Message): bigint {
  return BigInt(message.blobVersionedHashes?.length ?? 0) * gasPerBlob;
}
