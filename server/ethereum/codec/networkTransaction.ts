/**
 * Encodes and decodes transactions in the form in which the network sends them. A blob transaction includes its
 * sidecar, in the wrapper of EIP-4844 (one proof per blob) or EIP-7594 (128 cell proofs per blob). The hash and the
 * consensus encoding never contain the sidecar.
 */

import { decodeRlp, encodeRlp, RlpError, type RlpItem } from "@/lib/rlp";
import { concat, toHex } from "@/server/ethereum/codec/bytes";
import { asBytes, asList } from "@/server/ethereum/codec/fields";
import { decodeTransaction, orMalformed, toTyped } from "@/server/ethereum/codec/transaction";
import type { Address, Transaction } from "@/server/ethereum/types";

/**
 * Version 0 is EIP-4844's wrapper, with one proof per blob. Version 1 is EIP-7594's wrapper, with 128 cell proofs per
 * blob.
 */
export type BlobSidecar = {
  version: 0 | 1;
  blobs: Uint8Array[];
  commitments: Uint8Array[];
  proofs: Uint8Array[];
};

const blobBytes = 131_072;
const cellsPerBlob = 128;
const blobType = 3;

/**
 * Decodes the input of eth_sendRawTransaction: a transaction of any type. A blob transaction may come with or without
 * its sidecar. Checks the sidecar's counts and lengths, but not its proofs. Throws MalformedTransactionError.
 */
export function decodeNetworkTransaction(
  raw: Uint8Array,
  from?: Address,
): { transaction: Transaction; sidecar?: BlobSidecar } {
  if (raw[0] !== blobType) return { transaction: decodeTransaction(raw, from) };
  return orMalformed(() => {
    const fields = asList(decodeRlp(raw.subarray(1)), "transaction");
    const body = fields[0];
    if (!Array.isArray(body)) return { transaction: decodeTransaction(raw, from) };
    const consensus = concat(raw.subarray(0, 1), encodeRlp(body));
    const transaction = toTyped(blobType, body, consensus, { from });
    return { transaction, sidecar: toSidecar(fields, transaction.blobVersionedHashes?.length ?? 0) };
  });
}

/** Encodes a blob transaction with its sidecar, in the form that decodeNetworkTransaction reads. */
export function encodeNetworkTransaction(transaction: Transaction, sidecar: BlobSidecar): Uint8Array {
  const body = decodeRlp(transaction.raw.subarray(1));
  const version = sidecar.version === 1 ? [Uint8Array.of(1)] : [];
  const fields: RlpItem[] = [body, ...version, sidecar.blobs, sidecar.commitments, sidecar.proofs];
  return concat(transaction.raw.subarray(0, 1), encodeRlp(fields));
}

function toSidecar(fields: RlpItem[], hashes: number): BlobSidecar {
  asList(fields, "blob transaction wrapper", [4, 5]);
  const version = fields.length === 5 ? 1 : 0;
  if (version === 1 && toHex(asBytes(fields[1], "wrapper version")) !== "0x01") {
    throw new RlpError("The blob transaction's wrapper version must be 1.");
  }
  const [blobs, commitments, proofs] = fields.slice(version + 1);
  return {
    version,
    blobs: toStrings(blobs, "blob", blobBytes, hashes),
    commitments: toStrings(commitments, "commitment", 48, hashes),
    proofs: toStrings(proofs, "proof", 48, version === 1 ? hashes * cellsPerBlob : hashes),
  };
}

function toStrings(item: RlpItem | undefined, name: string, length: number, count: number): Uint8Array[] {
  const list = asList(item, `list of ${name}s`);
  if (list.length !== count) throw new RlpError(`The sidecar has ${list.length} ${name}s instead of ${count}.`);
  return list.map((entry) => asBytes(entry, name, length));
}
