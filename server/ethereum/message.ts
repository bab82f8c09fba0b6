/** The parts of a transaction or call that the state transition uses. */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { gasPerBlob } from "@/server/ethereum/fees";
import type { Account, Transaction } from "@/server/ethereum/types";

/**
 * The transaction fields that execution needs. A call has only these fields. The signature is only there to show
 * whether the sender is impersonated.
 */
export type Message = Omit<Transaction, "hash" | "yParity" | "v" | "r" | "s" | "raw"> &
  Partial<Pick<Transaction, "r" | "s">>;

export type MessageKind = {
  /**
   * Calls skip some checks: the nonce doesn't have to be the next one, the sender doesn't need a key, and the gas
   * doesn't have to fit in the block.
   */
  isCall: boolean;
  /** If set, a call with a gas price of zero still sees the block's base fee. */
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
