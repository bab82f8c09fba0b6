import { bls12_381 } from "@noble/curves/bls12-381.js";
import { hexToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import {
  type BlobSidecar,
  decodeNetworkTransaction,
  encodeNetworkTransaction,
} from "@/server/ethereum/codec/networkTransaction";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { MalformedTransactionError, TransactionRefusedError } from "@/server/ethereum/errors";
import { toSpec } from "@/server/ethereum/spec";
import type { Hex, Transaction } from "@/server/ethereum/types";
import { loadKzg, toVersionedHash, verifyBlobSidecar } from "@/server/evm/kzg";
import { isOpeningValid } from "@/server/evm/openingProof";
import { executeCall } from "@/server/execution/call";
import { createSandbox } from "@/server/execution/testing/sandbox";

const at = { number: 1, timestamp: 1 };
const shared = { chainId: 1, londonBlock: 0, mergeNetsplitBlock: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 };
const prague = toSpec(shared);
const osaka = toSpec({ ...shared, osakaTime: 0 });

/** A blob whose first field elements are 1, 2 and 3. */
const blob = new Uint8Array(131_072);
for (const index of [0, 1, 2]) blob[32 * index + 31] = index + 1;

/** tau times the generator of G1: element 1 of the ceremony's g1_monomial. */
const lineCommitment: Hex =
  "0xad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81";

let transaction: Transaction;
let withBlobProof: BlobSidecar;
let withCellProofs: BlobSidecar;

// Setting up the library takes ten seconds of CPU time.
beforeAll(async () => {
  const kzg = await loadKzg();
  const commitment = toBytes(kzg.blobToKzgCommitment(toHex(blob)));
  const account = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const raw = await account.signTransaction({
    type: "eip4844",
    chainId: 1,
    nonce: 0,
    gas: 21_000n,
    to: account.address,
    maxFeePerGas: 10n,
    maxFeePerBlobGas: 10n,
    blobVersionedHashes: [toVersionedHash(commitment)],
  });
  transaction = decodeTransaction(hexToBytes(raw));
  const parts = { blobs: [blob], commitments: [commitment] };
  const proof = toBytes(kzg.computeBlobProof(toHex(blob), toHex(commitment)));
  withBlobProof = { version: 0, ...parts, proofs: [proof] };
  withCellProofs = { version: 1, ...parts, proofs: kzg.computeCellsAndProofs(toHex(blob))[1].map(toBytes) };
}, 240_000);

test("both wrappers round-trip and are not part of the hash or the consensus encoding", () => {
  for (const sidecar of [withBlobProof, withCellProofs]) {
    const decoded = decodeNetworkTransaction(encodeNetworkTransaction(transaction, sidecar));
    expect(decoded).toEqual({ transaction, sidecar });
  }
  expect(decodeNetworkTransaction(transaction.raw)).toEqual({ transaction });
});

test("rejects a wrapper with the wrong number or length of parts", () => {
  const broken: BlobSidecar[] = [
    { ...withBlobProof, blobs: [] },
    { ...withBlobProof, blobs: [blob.subarray(1)] },
    { ...withBlobProof, proofs: [] },
    { ...withCellProofs, proofs: withCellProofs.proofs.slice(1) },
  ];
  for (const sidecar of broken) {
    expect(() => decodeNetworkTransaction(encodeNetworkTransaction(transaction, sidecar))).toThrow(
      MalformedTransactionError,
    );
  }
});

test("accepts only blob proofs before Osaka and only cell proofs from Osaka on", async () => {
  await verifyBlobSidecar(transaction, withBlobProof, prague, at);
  await verifyBlobSidecar(transaction, withCellProofs, osaka, at);
  await expect(verifyBlobSidecar(transaction, withBlobProof, osaka, at)).rejects.toThrow("are not cell proofs");
  await expect(verifyBlobSidecar(transaction, withCellProofs, prague, at)).rejects.toThrow("not valid yet");
});

test("rejects a changed blob, commitment or proof", async () => {
  const changedBlob = blob.slice();
  changedBlob[31] = 9;
  const outOfField = blob.slice().fill(255, 0, 32);
  const swapped = withCellProofs.proofs.toReversed();
  const commitment = withBlobProof.commitments[0]!.slice();
  commitment[47] = commitment[47]! ^ 1;
  const cases: [BlobSidecar, typeof prague][] = [
    [{ ...withBlobProof, blobs: [changedBlob] }, prague],
    [{ ...withBlobProof, blobs: [outOfField] }, prague],
    [{ ...withBlobProof, proofs: [new Uint8Array(48)] }, prague],
    [{ ...withBlobProof, commitments: [commitment] }, prague],
    [{ ...withCellProofs, blobs: [changedBlob] }, osaka],
    [{ ...withCellProofs, proofs: swapped }, osaka],
  ];
  for (const [sidecar, spec] of cases) {
    await expect(verifyBlobSidecar(transaction, sidecar, spec, at)).rejects.toThrow(TransactionRefusedError);
  }
});

test("verifies opening proofs like the library", async () => {
  const kzg = await loadKzg();
  const commitment = withBlobProof.commitments[0]!;
  const proofOf = (cell: number) => withCellProofs.proofs[cell]!;
  // The blob's proof opens it at a challenge we don't know, so both must reject any other point.
  const inputs: [Uint8Array, Uint8Array, Uint8Array, Uint8Array][] = [
    [commitment, toBytes(toWord(1n)), toBytes(toWord(2n)), withBlobProof.proofs[0]!],
    [commitment, toBytes(toWord(0n)), toBytes(toWord(0n)), proofOf(3)],
    [commitment, toBytes(toWord(9n)), toBytes(toWord(0n)), commitment],
  ];
  for (const input of inputs) {
    const [c, z, y, proof] = input.map(toHex) as [Hex, Hex, Hex, Hex];
    expect(isOpeningValid(...input)).toBe(kzg.verifyProof(c, z, y, proof));
  }
  // A constant polynomial: its commitment is the constant times the generator, its value the constant everywhere.
  const constant = toBytes(
    kzg.blobToKzgCommitment(toHex(new Uint8Array(131_072).map((_, i) => (i % 32 === 31 ? 7 : 0)))),
  );
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
  for (const z of [0n, 1n, 12_345n]) {
    expect(isOpeningValid(constant, toBytes(toWord(z)), toBytes(toWord(7n)), infinity)).toBe(true);
    expect(isOpeningValid(constant, toBytes(toWord(z)), toBytes(toWord(8n)), infinity)).toBe(false);
  }
  // The line p(x) = x: its commitment is tau times the generator, and its quotient at any point is one.
  const line = toBytes(lineCommitment);
  const generator = bls12_381.G1.Point.BASE.toBytes();
  for (const z of [0n, 5n, 2n ** 200n]) {
    expect(isOpeningValid(line, toBytes(toWord(z)), toBytes(toWord(z)), generator)).toBe(true);
    expect(isOpeningValid(line, toBytes(toWord(z)), toBytes(toWord(z + 1n)), generator)).toBe(false);
  }
});

test("the point evaluation precompile returns its constants for a valid proof and uses up all gas otherwise", async () => {
  const sandbox = await createSandbox({});
  // The point at infinity commits to the zero polynomial. Its value is zero everywhere, and its proof is also infinity.
  const infinity = `c0${"00".repeat(47)}`;
  const hash = toVersionedHash(toBytes(`0x${infinity}`)).slice(2);
  const evaluate = async (y: bigint, hashHex = hash) => {
    const input: Hex = `0x${hashHex}${toWord(5n).slice(2)}${toWord(y).slice(2)}${infinity}${infinity}`;
    const job = sandbox.toJob({ to: `0x${"0a".padStart(40, "0")}`, input, gas: 200_000n });
    return (await executeCall({ kind: "call", ...job }, sandbox.store)).result;
  };
  const modulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
  const answer = await evaluate(0n);
  expect(answer.output).toBe(`${toWord(4096n)}${toWord(modulus).slice(2)}`);
  expect(answer.failure).toBeUndefined();
  for (const wrong of [await evaluate(1n), await evaluate(modulus), await evaluate(0n, `02${hash.slice(2)}`)]) {
    expect(wrong).toMatchObject({ gasUsed: 200_000n, output: "0x" });
    expect(wrong.failure?.kind).toBe("halt");
  }
});
