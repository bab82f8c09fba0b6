/** Wire format of the rows that `explorer_` methods return for addresses and tokens. */
import { z } from "zod";
import { hexAddress, hexData, hexHash, hexQuantity } from "@/lib/rpc/codec";
import { methodFields, transactionSummaryShape } from "@/lib/rpc/explorerShapes";

/**
 * How the transaction relates to the address. If several values apply, the most important one is used. The
 * documentation for explorer_getAddressTransactions explains the values.
 */
export const directionShape = z.enum(["self", "out", "in", "created", "internal", "token"]);
export type Direction = z.infer<typeof directionShape>;

/** Which side of a transfer an address is on. */
export const sideShape = z.enum(["in", "out"]);
export type TransferSide = z.infer<typeof sideShape>;

export const addressTransactionShape = transactionSummaryShape.extend({ direction: directionShape });
export type AddressTransaction = z.infer<typeof addressTransactionShape>;

const place = { blockNumber: hexQuantity, timestamp: hexQuantity, transactionHash: hexHash };

export const placeShape = z.strictObject(place);

/** The transaction that made a transfer: where it is, and what it called. */
const origin = {
  ...place,
  /** What the transaction called, which may be neither a party nor the token. Null if it created a contract. */
  calledContract: hexAddress.nullable(),
  ...methodFields,
};

export const internalTransferShape = z.strictObject({
  ...origin,
  kind: z.enum(["call", "create", "create2", "selfdestruct"]),
  from: hexAddress,
  to: hexAddress,
  value: hexQuantity,
  /** The transfer's index among the internal transfers in its block. */
  sequence: hexQuantity,
});
export type InternalTransferRow = z.infer<typeof internalTransferShape>;

export const tokenTransferShape = z.strictObject({
  ...origin,
  logIndex: hexQuantity,
  token: hexAddress,
  from: hexAddress,
  to: hexAddress,
  /** The amount is in the token's smallest units. */
  amount: hexQuantity,
});
export type TokenTransferRow = z.infer<typeof tokenTransferShape>;

/**
 * `amount` is the sum of the transfers. `balance` is the current result of balanceOf, or null if the token doesn't
 * return a number.
 */
const held = { amount: hexQuantity, balance: hexQuantity.nullable() };
export const holdingShape = z.strictObject({ token: hexAddress, ...held });
export type HoldingRow = z.infer<typeof holdingShape>;
/** An ERC-721 token, or an amount of an ERC-1155 token. */
export const nftShape = z.strictObject({ token: hexAddress, tokenId: hexQuantity, amount: hexQuantity });
export type NftRow = z.infer<typeof nftShape>;
/** The counts are null if the network has no index. */
export const tokenShape = z.strictObject({
  token: hexAddress,
  holders: hexQuantity.nullable(),
  transfers: hexQuantity.nullable(),
});
export type TokenRow = z.infer<typeof tokenShape>;
export const holderShape = z.strictObject({ address: hexAddress, ...held });
export type HolderRow = z.infer<typeof holderShape>;

/** How a storage slot follows from the slot of a mapping or array. */
export const slotKeysShape = z.strictObject({
  slot: hexHash,
  /** The slot of the mapping or array, or its namespace (ERC-7201). */
  base: hexHash,
  /** A mapping's keys, outermost first. Words, or the bytes of keys with a dynamic type. */
  keys: z.array(hexData),
  /** Whether the slot is in the data of an array, a string or bytes. */
  isElement: z.boolean(),
  /** How many slots the slot is after the start of the struct or of the data. */
  offset: hexQuantity,
});
export type SlotKeysRow = z.infer<typeof slotKeysShape>;
