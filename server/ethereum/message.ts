/**
 * A transaction or call as the transition sees it.
 */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { gasPerBlob } from "@/server/ethereum/fees";
import type { Account, Transaction } from "@/server/ethereum/types";

/** What execution needs of a transaction, and all that a call has. The signature tells who only impersonates. */
export type Message = Omit<Transaction, "hash" | "yParity" | "v" | "r" | "s" | "raw"> &
  Partial<Pick<Transaction, "r" | "s">>;

export type MessageKind = {
  /** A call need not have the next nonce, a key behind its sender, or a place in the block's gas. */
  isCall: boolean;
  /** A call that offers nothing for gas still sees the block's base fee. */
  keepsBaseFee?: boolean;
  /** Gas the block has left. */
  gasLeft: bigint;
  /** Blob gas the block has left. */
  blobGasLeft?: bigint | undefined;
};

export const emptyAccount: Account = { nonce: 0n, balance: 0n, codeHash: emptyCodeHash };

export function blobGasOf(message: Message): bigint {
  return BigInt(message.blobVersionedHashes?.length ?? 0) * gasPerBlob;
}
