/**
 * Decodes EIP-2718 transactions of types 0 to 4 from bytes to a validated value with its sender and hash. Only the
 * canonical encoding is accepted.
 */

import { decodeRlp, encodeRlp, RlpError, type RlpItem } from "@/lib/rlp";
import { concat, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { asBytes, asHex, asInteger, asList } from "@/server/ethereum/codec/fields";
import { keccak, keccakHex } from "@/server/ethereum/codec/hash";
import { findSigner } from "@/server/ethereum/codec/signature";
import { MalformedTransactionError } from "@/server/ethereum/errors";
import type { AccessList, Address, Authorization, Hash, Transaction } from "@/server/ethereum/types";

/** EIP-2681: an account's nonce stays below 2^64 - 1. */
const maxNonce = 2n ** 64n - 2n;

const fieldCounts = { 1: 11, 2: 12, 3: 14, 4: 13 } as const;

/**
 * Decodes a transaction in its consensus encoding (EIP-2718 envelope, or RLP for legacy). Recovers the sender and
 * computes the hash, unless the caller passes them. Checks everything that depends on neither state nor fork. Throws
 * MalformedTransactionError.
 */
export function decodeTransaction(raw: Uint8Array, from?: Address, hash?: Hash): Transaction {
  return orMalformed(() => {
    const first = raw[0];
    if (first === undefined) throw new RlpError("The transaction is empty.");
    if (first >= 0xc0) return toLegacy(decodeRlp(raw), raw, { from, hash });
    return toTyped(toType(first), decodeRlp(raw.subarray(1)), raw, { from, hash });
  });
}

/** Reads the type from a typed envelope's first byte. Throws RlpError if the type is unknown. */
export function toType(first: number): 1 | 2 | 3 | 4 {
  if (first === 1 || first === 2 || first === 3 || first === 4) return first;
  throw new RlpError(`Transaction type ${first} is not supported.`);
}

/** Values that the caller already has and that therefore don't have to be recovered or computed. */
type Known = { from: Address | undefined; hash?: Hash | undefined };

/** Runs a decoder and turns its errors into MalformedTransactionError. */
export function orMalformed<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RlpError) throw new MalformedTransactionError(error.message);
    throw error;
  }
}

function toLegacy(item: RlpItem, raw: Uint8Array, { from, hash }: Known): Transaction {
  const fields = asList(item, "transaction", [9]);
  const v = asInteger(fields[6], "v", 256);
  const isProtected = v >= 35n;
  if (!isProtected && v !== 27n && v !== 28n) throw new RlpError(`A legacy transaction can't have a v of ${v}.`);
  // EIP-155: v = 35 + 2 * chain id + parity.
  const chainId = isProtected ? (v - 35n) >> 1n : undefined;
  const signature = toSignature(fields, 7, Number(isProtected ? (v - 35n) & 1n : v - 27n));
  const unsigned = fields.slice(0, 6);
  if (chainId !== undefined) unsigned.push(toScalar(chainId), new Uint8Array(0), new Uint8Array(0));
  return {
    type: 0,
    hash: hash ?? keccakHex(raw),
    from: from ?? toSender(keccak(encodeRlp(unsigned)), signature),
    ...(chainId === undefined ? {} : { chainId }),
    ...toBody(fields, 0, 2),
    gasPrice: asInteger(fields[1], "gas price", 256),
    v,
    ...signature,
    raw,
  };
}

/**
 * Converts the decoded RLP of a typed transaction (EIP-2930, 1559, 4844 or 7702). Recovers the sender and computes the
 * hash, unless they are passed in.
 */
export function toTyped(type: 1 | 2 | 3 | 4, item: RlpItem, raw: Uint8Array, { from, hash }: Known): Transaction {
  const count = fieldCounts[type];
  const fields = asList(item, "transaction", [count]);
  const parity = asInteger(fields[count - 3], "y parity", 256);
  if (parity > 1n) throw new RlpError(`The y parity must be 0 or 1, not ${parity}.`);
  const signature = toSignature(fields, count - 2, Number(parity));
  // Type 1 has one price field before the gas limit; later types have two.
  const gasAt = type === 1 ? 3 : 4;
  const transaction: Transaction = {
    type,
    hash: hash ?? keccakHex(raw),
    from: from ?? toSender(keccak(concat(raw.subarray(0, 1), encodeRlp(fields.slice(0, count - 3)))), signature),
    chainId: asInteger(fields[0], "chain id", 256),
    ...toBody(fields, 1, gasAt),
    accessList: toAccessList(fields[gasAt + 4]),
    v: parity,
    ...signature,
    raw,
  };
  if (type === 1) transaction.gasPrice = asInteger(fields[2], "gas price", 256);
  else {
    transaction.maxPriorityFeePerGas = asInteger(fields[2], "max priority fee per gas", 256);
    transaction.maxFeePerGas = asInteger(fields[3], "max fee per gas", 256);
  }
  if (type >= 3 && transaction.to === undefined) {
    throw new RlpError(`A transaction of type ${type} cannot create a contract.`);
  }
  if (type === 3) {
    transaction.maxFeePerBlobGas = asInteger(fields[9], "max fee per blob gas", 256);
    transaction.blobVersionedHashes = asList(fields[10], "list of blob hashes").map((hash) =>
      asHex(hash, "blob hash", 32),
    );
  }
  if (type === 4) transaction.authorizationList = toAuthorizations(fields[9]);
  return transaction;
}

function toBody(
  fields: RlpItem[],
  nonceAt: number,
  gasAt: number,
): Pick<Transaction, "nonce" | "gasLimit" | "to" | "value" | "input"> {
  const nonce = asInteger(fields[nonceAt], "nonce", 64);
  if (nonce > maxNonce) throw new RlpError("The nonce is larger than 2^64 - 2.");
  const to = asBytes(fields[gasAt + 1], "recipient");
  if (to.length !== 0 && to.length !== 20) throw new RlpError(`The recipient has ${to.length} bytes instead of 20.`);
  return {
    nonce,
    gasLimit: asInteger(fields[gasAt], "gas limit", 64),
    ...(to.length === 0 ? {} : { to: toHex(to) }),
    value: asInteger(fields[gasAt + 2], "value", 256),
    input: toHex(asBytes(fields[gasAt + 3], "input")),
  };
}

function toSignature(fields: RlpItem[], at: number, yParity: number): { r: bigint; s: bigint; yParity: number } {
  return { r: asInteger(fields[at], "r", 256), s: asInteger(fields[at + 1], "s", 256), yParity };
}

function toSender(hash: Uint8Array, signature: { r: bigint; s: bigint; yParity: number }): Address {
  const signer = findSigner(hash, signature);
  if (!signer) throw new RlpError("The signature is invalid.");
  return signer;
}

function toAccessList(item: RlpItem | undefined): AccessList {
  return asList(item, "access list").map((entry) => {
    const [address, keys] = asList(entry, "access list entry", [2]);
    return {
      address: asHex(address, "access list address", 20),
      storageKeys: asList(keys, "list of storage keys").map((key) => asHex(key, "storage key", 32)),
    };
  });
}

/**
 * EIP-7702 limits the size of each field in an authorization tuple. This function accepts an authorization with an
 * invalid signature; execution skips it later.
 */
function toAuthorizations(item: RlpItem | undefined): Authorization[] {
  return asList(item, "authorization list").map((entry) => {
    const fields = asList(entry, "authorization", [6]);
    return {
      chainId: asInteger(fields[0], "chain id of the authorization", 256),
      address: asHex(fields[1], "address of the authorization", 20),
      nonce: asInteger(fields[2], "nonce of the authorization", 64),
      yParity: Number(asInteger(fields[3], "y parity of the authorization", 8)),
      r: asInteger(fields[4], "r of the authorization", 256),
      s: asInteger(fields[5], "s of the authorization", 256),
    };
  });
}

/**
 * Recovers the signer of keccak(0x05 || rlp([chain id, address, nonce])), EIP-7702. Undefined if no key could have
 * signed it.
 */
export function findAuthority(authorization: Authorization): Address | undefined {
  const { chainId, address, nonce } = authorization;
  const message = encodeRlp([toScalar(chainId), Buffer.from(address.slice(2), "hex"), toScalar(nonce)]);
  return findSigner(keccak(concat(authorizationMagic, message)), authorization);
}

const authorizationMagic = Uint8Array.of(5);
