/**
 * Encodes and decodes whole blocks: header, transactions, ommers and, since EIP-4895, withdrawals. A block has a
 * withdrawals list if and only if its header has a withdrawals root.
 */

import { decodeRlp, encodeRlp, type RlpItem, rlpLength } from "@/lib/rlp";
import { toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import { asHex, asInteger, asList } from "@/server/ethereum/codec/fields";
import { fromHeaderItem, type HeaderFields, orInvalid, toHeaderItem } from "@/server/ethereum/codec/header";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { InvalidBlockError, MalformedTransactionError } from "@/server/ethereum/errors";
import type { Block, Header, Transaction, Withdrawal } from "@/server/ethereum/types";

export type BlockParts = {
  header: HeaderFields;
  transactions: readonly Pick<Transaction, "raw">[];
  ommers: readonly Header[];
  withdrawals?: readonly Withdrawal[];
};

export function encodeBlock(block: BlockParts): Uint8Array {
  return encodeRlp(toBlockItem(block));
}

/** The length of the encoded block in bytes. */
export function toBlockSize(block: BlockParts): number {
  return rlpLength(toBlockItem(block));
}

/** The RLP encoding of a withdrawal, as stored in the withdrawals trie. */
export function encodeWithdrawal(withdrawal: Withdrawal): Uint8Array {
  return encodeRlp(toWithdrawalItem(withdrawal));
}

/** The RLP encoding of a list of headers. For a block's ommers, its keccak hash is the header's ommersHash. */
export function encodeOmmers(ommers: readonly Header[]): Uint8Array {
  return encodeRlp(ommers.map(toHeaderItem));
}

/**
 * Decodes a block and recovers its transactions' senders. Throws InvalidBlockError if the bytes aren't a canonical
 * block. The importer checks that the parts match the header's roots.
 */
export function decodeBlock(raw: Uint8Array): Block {
  return orInvalid(() => {
    const fields = asList(decodeRlp(raw), "block", [3, 4]);
    const header = fromHeaderItem(fields[0]);
    if ((header.withdrawalsRoot !== undefined) !== (fields.length === 4)) {
      throw new InvalidBlockError(
        fields.length === 4
          ? "The block has a list of withdrawals, but its header has no withdrawals root."
          : "The block's header has a withdrawals root, but the block has no list of withdrawals.",
      );
    }
    return {
      header,
      transactions: asList(fields[1], "list of transactions").map(toTransaction),
      ommers: asList(fields[2], "list of ommers").map(fromHeaderItem),
      ...(fields.length === 4 ? { withdrawals: asList(fields[3], "list of withdrawals").map(fromWithdrawalItem) } : {}),
      size: raw.length,
    };
  });
}

function toBlockItem(block: BlockParts): RlpItem[] {
  const fields: RlpItem[] = [
    toHeaderItem(block.header),
    block.transactions.map(({ raw }) => (raw[0]! >= 0xc0 ? decodeRlp(raw) : raw)),
    block.ommers.map(toHeaderItem),
  ];
  if (block.withdrawals) fields.push(block.withdrawals.map(toWithdrawalItem));
  return fields;
}

/**
 * In a block, a legacy transaction is an RLP list, and a typed transaction is a byte string that contains its envelope.
 */
function toTransaction(item: RlpItem, index: number): Transaction {
  try {
    // Uses a copy, so that the transaction does not keep the whole block's bytes in memory.
    return decodeTransaction(Array.isArray(item) ? encodeRlp(item) : item.slice());
  } catch (error) {
    if (error instanceof MalformedTransactionError) {
      throw new InvalidBlockError(`Transaction ${index} in the block is malformed: ${error.message}`);
    }
    throw error;
  }
}

function toWithdrawalItem(withdrawal: Withdrawal): RlpItem[] {
  return [
    toScalar(withdrawal.index),
    toScalar(withdrawal.validatorIndex),
    toBytes(withdrawal.address),
    toScalar(withdrawal.amount),
  ];
}

function fromWithdrawalItem(item: RlpItem): Withdrawal {
  const fields = asList(item, "withdrawal", [4]);
  return {
    index: asInteger(fields[0], "withdrawal index", 64),
    validatorIndex: asInteger(fields[1], "validator index", 64),
    address: asHex(fields[2], "withdrawal address", 20),
    amount: asInteger(fields[3], "withdrawal amount", 64),
  };
}
