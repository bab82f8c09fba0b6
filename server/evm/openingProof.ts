/**
 * KZG opening proofs (EIP-4844): verifies that the polynomial of a commitment has a given value at a point. One pairing
 * equation and one constant of the ceremony take tens of milliseconds; setting up the library for whole blobs takes ten
 * seconds of a core, longer than a call may run.
 */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { toBigInt, toBytes } from "@/server/ethereum/codec/bytes";

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
type G1Point = typeof G1.ZERO;

/** Order of the groups and size of the scalar field, EIP-4844 BLS_MODULUS. */
export const blsModulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** The secret of the KZG ceremony times the generator of G2: element 1 of the setup's g2_monomial. */
const tau =
  "0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72" +
  "185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2";

type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;
let known: { minusOne: Lines; tau: Lines } | undefined;

/**
 * Precomputed pairing values that depend only on the second point. Both points are the same in every proof; computed on
 * first use to keep startup fast.
 */
function getLines(): { minusOne: Lines; tau: Lines } {
  const { calcPairingPrecomputes } = bls12_381.utils;
  known ??= {
    minusOne: calcPairingPrecomputes(G2.BASE.negate()),
    tau: calcPairingPrecomputes(G2.fromBytes(toBytes(tau as `0x${string}`))),
  };
  return known;
}

/**
 * Whether p(z) = y for the polynomial of the commitment. Commitment and proof are 48-byte compressed points, z and y
 * 32-byte big-endian field elements; undefined if one of them is invalid.
 */
export function isOpeningValid(
  commitment: Uint8Array,
  z: Uint8Array,
  y: Uint8Array,
  proof: Uint8Array,
): boolean | undefined {
  const at = toBigInt(z);
  const value = toBigInt(y);
  const c = findPoint(commitment);
  const p = findPoint(proof);
  if (at >= blsModulus || value >= blsModulus || !c || !p) return undefined;
  const lines = getLines();
  // e(C - y + z * proof, -1) * e(proof, tau) = 1 avoids multiplication in the more expensive group.
  const pairs = [
    { g1: c.subtract(G1.BASE.multiplyUnsafe(value)).add(p.multiplyUnsafe(at)), g2: lines.minusOne },
    { g1: p, g2: lines.tau },
  ].filter(({ g1 }) => !g1.is0());
  // A pairing with infinity is one, so such pairs can be left out.
  if (pairs.length === 0) return true;
  const { Fp12 } = bls12_381.fields;
  const product = bls12_381.millerLoopBatch(
    pairs.map(({ g1, g2 }) => {
      const { x, y } = g1.toAffine();
      return [g2, x, y];
    }),
  );
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}

/** Decodes a compressed point of the prime-order group; undefined if the bytes don't encode one. */
function findPoint(bytes: Uint8Array): G1Point | undefined {
  if (bytes[0] === 0xc0 && bytes.subarray(1).every((byte) => byte === 0)) return G1.ZERO;
  try {
    const point = G1.fromBytes(bytes);
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}
