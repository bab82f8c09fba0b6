/**
 * Verifies the proofs of blob sidecars (EIP-4844, EIP-7594). The library and its trusted setup are loaded on first use,
 * which takes ten seconds of a core; few nodes ever see a blob.
 */
import { createHash } from "node:crypto";
import { toHex } from "@/server/ethereum/codec/bytes";
import type { BlobSidecar } from "@/server/ethereum/codec/networkTransaction";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { type ForkPoint, isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Hash, Transaction } from "@/server/ethereum/types";

type Kzg = Awaited<ReturnType<typeof import("kzg-wasm")["loadKZG"]>>;

let loading: Promise<Kzg> | undefined;

/** The library, set up once per thread. */
export function loadKzg(): Promise<Kzg> {
  loading ??= import("kzg-wasm").then(({ loadKZG }) => loadKZG());
  return loading;
}

/** EIP-4844: version byte 1 and the end of the commitment's SHA-256. */
export function toVersionedHash(commitment: Uint8Array): Hash {
  const digest = createHash("sha256").update(commitment).digest();
  digest[0] = 1;
  return toHex(digest);
}

const cellsPerBlob = 128;
const endOfSchedule: ForkPoint = { number: Number.MAX_SAFE_INTEGER, timestamp: Number.MAX_SAFE_INTEGER };

/**
 * Checks that a sidecar belongs to its blob transaction: the wrapper that the fork requires, commitments that hash to
 * the transaction's blob hashes, and valid proofs. at is the earliest block that could include the transaction; without
 * it the chain's newest rules apply. Throws TransactionRefusedError.
 */
export async function verifyBlobSidecar(
  transaction: Transaction,
  sidecar: BlobSidecar,
  spec: ChainSpec,
  at: ForkPoint = endOfSchedule,
): Promise<void> {
  const hasCells = isForkActive(spec, "osaka", at);
  if (hasCells !== (sidecar.version === 1)) {
    throw refused(hasCells ? "its proofs are not cell proofs (EIP-7594)" : "cell proofs are not valid yet (EIP-7594)");
  }
  const hashes = transaction.blobVersionedHashes ?? [];
  for (const [index, commitment] of sidecar.commitments.entries()) {
    if (toVersionedHash(commitment) !== hashes[index]) {
      throw refused(`commitment ${index} does not match its versioned hash`);
    }
  }
  const kzg = await loadKzg();
  const blobs = sidecar.blobs.map(toHex);
  const commitments = sidecar.commitments.map(toHex);
  const proofs = sidecar.proofs.map(toHex);
  if (!areProofsValid(() => check(kzg, hasCells, blobs, commitments, proofs))) throw refused("its proofs are invalid");
}

function check(kzg: Kzg, hasCells: boolean, blobs: string[], commitments: string[], proofs: string[]): boolean {
  if (!hasCells) return kzg.verifyBlobProofBatch(blobs, commitments, proofs);
  return blobs.every((blob, index) => {
    const indices = Array.from({ length: cellsPerBlob }, (_, cell) => cell);
    return kzg.verifyCellKzgProofBatch(
      indices.map(() => commitments[index]!),
      indices,
      kzg.computeCells(blob),
      proofs.slice(index * cellsPerBlob, (index + 1) * cellsPerBlob),
    );
  });
}

/** The library throws if a value isn't a field element or curve point; such a proof is invalid, too. */
function areProofsValid(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

function refused(detail: string): TransactionRefusedError {
  return new TransactionRefusedError("blob transaction is invalid", detail);
}
