/** Verifies the sidecars of blob transactions, in the network forms of both EIP-4844 and EIP-7594. */
import { createHash } from "node:crypto";
import { toHex } from "@/server/ethereum/codec/bytes";
import type { BlobSidecar } from "@/server/ethereum/codec/networkTransaction";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { untilComplete } from "@/server/ethereum/pending";
import type { Hash, Transaction } from "@/server/ethereum/types";
import { areCellProofsValid, cellsPerBlob, isBlobProofValid } from "@/server/evm/blobProofs";

/** EIP-4844: the hash is the version byte 1, followed by the last 31 bytes of the commitment's SHA-256. */
export function toVersionedHash(commitment: Uint8Array): Hash {
  const digest = createHash("sha256").update(commitment).digest();
  digest[0] = 1;
  return toHex(digest);
}

/**
 * Checks that a sidecar belongs to its blob transaction: the commitments must hash to the transaction's blob hashes,
 * and the proofs, one per blob or one per cell, must be valid. Throws TransactionRefusedError.
 */
export async function verifyBlobSidecar(transaction: Transaction, sidecar: BlobSidecar): Promise<void> {
  const { version, blobs, commitments, proofs } = sidecar;
  const hashes = transaction.blobVersionedHashes ?? [];
  for (const [index, commitment] of commitments.entries()) {
    if (toVersionedHash(commitment) !== hashes[index]) {
      throw refused(`commitment ${index} does not match its versioned hash`);
    }
  }
  for (const [index, blob] of blobs.entries()) {
    const commitment = commitments[index]!;
    const isValid = await untilComplete(() =>
      version === 0
        ? isBlobProofValid(blob, commitment, proofs[index]!)
        : areCellProofsValid(blob, commitment, proofs.slice(index * cellsPerBlob, (index + 1) * cellsPerBlob)),
    );
    if (!isValid)
      throw refused(
        version === 0 ? `the proof of blob ${index} is invalid` : `the cell proofs of blob ${index} are invalid`,
      );
  }
}

function refused(detail: string): TransactionRefusedError {
  return new TransactionRefusedError("blob transaction is invalid", detail);
}
