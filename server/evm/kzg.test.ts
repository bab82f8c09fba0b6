import { bls12_381 } from "@noble/curves/bls12-381.js";
import { loadKZG } from "kzg-wasm";
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
import { untilComplete } from "@/server/ethereum/pending";
import type { Hex, Transaction } from "@/server/ethereum/types";
import { toVersionedHash, verifyBlobSidecar } from "@/server/evm/kzg";
import { getCeremony, isOpeningValid } from "@/server/evm/openingProof";
import { writePoint } from "@/server/evm/precompiles/curve";
import { readCompressed } from "@/server/evm/precompiles/subgroup";
import { executeCall } from "@/server/execution/call";
import { createSandbox } from "@/server/execution/testing/sandbox";

type Kzg = Awaited<ReturnType<typeof loadKZG>>;
let kzg: Kzg;

/** Two blobs with arbitrary values at every point, each below the modulus. */
const blobs = [1, 2].map((seed) =>
  new Uint8Array(131_072).map((_, index) => (index % 32 === 0 ? 0 : (index * index * seed + index * 7) >>> 3)),
);

/** The generator of G1, multiplied by tau: element 1 of the ceremony's g1_monomial. */
const lineCommitment: Hex =
  "0xad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81";

let transaction: Transaction;
let withBlobProofs: BlobSidecar;
let withCellProofs: BlobSidecar;

// Setting up the reference library takes ten seconds of CPU time.
beforeAll(async () => {
  kzg = await loadKZG();
  await untilComplete(getCeremony);
  const commitments = blobs.map((blob) => toBytes(kzg.blobToKzgCommitment(toHex(blob))));
  const account = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const raw = await account.signTransaction({
    type: "eip4844",
    chainId: 1,
    nonce: 0,
    gas: 21_000n,
    to: account.address,
    maxFeePerGas: 10n,
    maxFeePerBlobGas: 10n,
    blobVersionedHashes: commitments.map(toVersionedHash),
  });
  transaction = decodeTransaction(hexToBytes(raw));
  const proofs = blobs.map((blob, index) => toBytes(kzg.computeBlobProof(toHex(blob), toHex(commitments[index]!))));
  withBlobProofs = { version: 0, blobs, commitments, proofs };
  const cellProofs = blobs.flatMap((blob) => kzg.computeCellsAndProofs(toHex(blob))[1].map(toBytes));
  withCellProofs = { version: 1, blobs, commitments, proofs: cellProofs };
}, 240_000);

test("decodes a blob transaction with either wrapper, or with none, to the values that were encoded", () => {
  for (const sidecar of [withBlobProofs, withCellProofs]) {
    const decoded = decodeNetworkTransaction(encodeNetworkTransaction(transaction, sidecar));
    expect(decoded).toEqual({ transaction, sidecar });
  }
  expect(decodeNetworkTransaction(transaction.raw)).toEqual({ transaction });
});

test("rejects a wrapper with the wrong number or length of parts", () => {
  const broken: BlobSidecar[] = [
    { ...withBlobProofs, blobs: [] },
    { ...withBlobProofs, blobs: [blobs[0]!.subarray(1), blobs[1]!] },
    { ...withBlobProofs, proofs: [] },
    { ...withCellProofs, proofs: withCellProofs.proofs.slice(1) },
  ];
  for (const sidecar of broken) {
    expect(() => decodeNetworkTransaction(encodeNetworkTransaction(transaction, sidecar))).toThrow(
      MalformedTransactionError,
    );
  }
});

test("accepts both forms of proofs: one per blob, and cell proofs", async () => {
  await verifyBlobSidecar(transaction, withBlobProofs);
  await verifyBlobSidecar(transaction, withCellProofs);
});

test("rejects a changed blob, commitment or proof in either form", async () => {
  const [first, second] = blobs as [Uint8Array, Uint8Array];
  const changed = second.slice();
  changed[131_071] = changed[131_071]! ^ 1;
  const outOfField = second.slice().fill(255, 0, 32);
  const commitment = withBlobProofs.commitments[0]!.slice();
  commitment[47] = commitment[47]! ^ 1;
  const { proofs } = withCellProofs;
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
  for (const sidecar of [withBlobProofs, withCellProofs]) {
    const last = sidecar.proofs.length - 1;
    const cases: Partial<BlobSidecar>[] = [
      { blobs: [first, changed] },
      { blobs: [first, outOfField] },
      { blobs: [second, first] },
      { commitments: [commitment, sidecar.commitments[1]!] },
      { commitments: sidecar.commitments.toReversed() },
      { proofs: sidecar.proofs.toReversed() },
      { proofs: sidecar.proofs.with(last, new Uint8Array(48)) },
      { proofs: sidecar.proofs.with(last, infinity) },
      { proofs: sidecar.proofs.with(last, sidecar.commitments[1]!) },
    ];
    for (const change of cases) {
      await expect(verifyBlobSidecar(transaction, { ...sidecar, ...change })).rejects.toThrow(TransactionRefusedError);
    }
  }
  const neighbors = proofs.with(64, proofs[65]!).with(65, proofs[64]!);
  await expect(verifyBlobSidecar(transaction, { ...withCellProofs, proofs: neighbors })).rejects.toThrow(
    "the cell proofs of blob 0 are invalid",
  );
});

test("verifies opening proofs with the same result as the library", async () => {
  const commitment = withBlobProofs.commitments[0]!;
  const proofOf = (cell: number) => withCellProofs.proofs[cell]!;
  // These proofs are for a challenge point that this test doesn't know, so both implementations must reject them at any
  // other point.
  const inputs: [Uint8Array, Uint8Array, Uint8Array, Uint8Array][] = [
    [commitment, toBytes(toWord(1n)), toBytes(toWord(2n)), withBlobProofs.proofs[0]!],
    [commitment, toBytes(toWord(0n)), toBytes(toWord(0n)), proofOf(3)],
    [commitment, toBytes(toWord(9n)), toBytes(toWord(0n)), commitment],
  ];
  for (const input of inputs) {
    const [c, z, y, proof] = input.map(toHex) as [Hex, Hex, Hex, Hex];
    expect(isOpeningValid(...input)).toBe(kzg.verifyProof(c, z, y, proof));
  }
  // For a constant polynomial, the commitment is the constant times the generator, and the value is the constant
  // everywhere.
  const constant = toBytes(
    kzg.blobToKzgCommitment(toHex(new Uint8Array(131_072).map((_, i) => (i % 32 === 31 ? 7 : 0)))),
  );
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
  for (const z of [0n, 1n, 12_345n]) {
    expect(isOpeningValid(constant, toBytes(toWord(z)), toBytes(toWord(7n)), infinity)).toBe(true);
    expect(isOpeningValid(constant, toBytes(toWord(z)), toBytes(toWord(8n)), infinity)).toBe(false);
  }
  // For the line p(x) = x, the commitment is tau times the generator, and the quotient at any point is one.
  const line = toBytes(lineCommitment);
  const generator = bls12_381.G1.Point.BASE.toBytes();
  for (const z of [0n, 5n, 2n ** 200n]) {
    expect(isOpeningValid(line, toBytes(toWord(z)), toBytes(toWord(z)), generator)).toBe(true);
    expect(isOpeningValid(line, toBytes(toWord(z)), toBytes(toWord(z + 1n)), generator)).toBe(false);
  }
});

test("point evaluation returns its constants for a valid proof, and uses up all gas otherwise", async () => {
  const sandbox = await createSandbox({});
  // The point at infinity is the commitment to the zero polynomial, which is zero everywhere. Its proof is the point at
  // infinity too.
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

/** The point's coordinates in the precompiles' encoding; undefined if the library rejects the point. */
function findNoble(Point: typeof bls12_381.G1.Point | typeof bls12_381.G2.Point, bytes: Uint8Array): Hex | undefined {
  try {
    const point = Point.fromBytes(bytes);
    if (point.is0()) return toHex(new Uint8Array(bytes.length === 48 ? 128 : 256));
    point.assertValidity();
    const { x, y } = point.toAffine();
    const parts = [x, y].flatMap((each) => (typeof each === "bigint" ? [each] : [each.c0, each.c1]));
    return `0x${parts.map((each) => each.toString(16).padStart(128, "0")).join("")}`;
  } catch {
    return undefined;
  }
}

test("accepts the same compressed points as @noble/curves", async () => {
  const { curve } = await untilComplete(getCeremony);
  const { G1, G2 } = { G1: bls12_381.G1.Point, G2: bls12_381.G2.Point };
  const modulus = toBytes(`0x${bls12_381.fields.Fp.ORDER.toString(16).padStart(96, "0")}`);
  const flag = (bytes: Uint8Array, flags: number) => bytes.map((byte, index) => (index === 0 ? byte | flags : byte));
  const small = (x: number, size: number) => new Uint8Array(size).fill(x, size - 1);
  const inputs = [G1.BASE, G1.BASE.multiply(5n).negate()].map((point) => point.toBytes());
  const inputs2 = [G2.BASE, G2.BASE.multiply(5n).negate()].map((point) => point.toBytes());
  for (const [name, Point, size, valid] of [
    ["g1", G1, 48, inputs],
    ["g2", G2, 96, inputs2],
  ] as const) {
    const infinity = flag(new Uint8Array(size), 0xc0);
    const cases = [
      ...valid,
      ...valid.map((bytes) => flag(bytes, 0x20)),
      ...valid.map((bytes) => bytes.map((byte, index) => (index === 0 ? byte & 0x7f : byte))),
      ...valid.map((bytes) => flag(bytes, 0x40)),
      infinity,
      flag(infinity, 0x20),
      infinity.with(size - 1, 1),
      new Uint8Array(size),
      new Uint8Array(size).fill(255),
      flag(new Uint8Array([...modulus, ...new Uint8Array(size - 48)]), 0x80),
      flag(new Uint8Array([...new Uint8Array(size - 48), ...modulus]), 0x80),
      // Some of these points are on the curve, but none is in the subgroup.
      ...Array.from({ length: 16 }, (_, x) => flag(small(x, size), 0x80)),
    ];
    for (const bytes of cases) {
      const expected = findNoble(Point, bytes);
      const isRead = readCompressed(curve, name, bytes, curve.points[0]);
      expect(isRead, toHex(bytes)).toBe(expected !== undefined);
      if (expected) expect(toHex(writePoint(curve, curve[name], curve.points[0]))).toBe(expected);
    }
  }
});
