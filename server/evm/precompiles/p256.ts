/**
 * P256VERIFY at 0x0100 (EIP-7951): returns the number one as a word if a secp256r1 signature is valid, and no bytes
 * otherwise. It fails only if it runs out of gas.
 */
import { createECDH } from "node:crypto";
import { concat } from "@/server/ethereum/codec/bytes";
import {
  type Curve,
  getCurve,
  readPoint,
  readReducedScalar,
  readScalar,
  writePoint,
} from "@/server/evm/precompiles/curve";
import { curveWeight, noBytes, priced, toFixedBytes } from "@/server/evm/precompiles/result";

const inputBytes = 160;

/** The input contains the hash, r, s, and the key's x and y, with 32 bytes each. s may be in either half. */
export const p256Verify = priced(
  () => 6_900n,
  (input) => (input.length === inputBytes && isSignatureValid(input) ? toFixedBytes(1n, 32) : noBytes),
  curveWeight,
);

/**
 * OpenSSL multiplies points twice as fast as mcl. For points other than the generator, Node exposes only the x
 * coordinate of the product.
 */
const openssl = createECDH("prime256v1");
const uncompressed = Uint8Array.of(4);

/**
 * FIPS 186-5, section 6.4.2: `r` must be the x coordinate of (hash / s) * G + (r / s) * key. This function computes (r
 * / s) * ((hash / r) * G + key) instead, so that OpenSSL can do the last step, which only needs the x coordinate.
 */
function isSignatureValid(input: Uint8Array): boolean {
  const curve = getCurve("p256");
  const { mcl, g1, points, scalars } = curve;
  const [r, inverse, scalar] = scalars;
  const [sum, other] = points;
  if (!readReducedScalar(curve, input.subarray(32, 64), r) || mcl._mclBnFr_isZero(r) === 1) return false;
  if (!readReducedScalar(curve, input.subarray(64, 96), scalar) || mcl._mclBnFr_isZero(scalar) === 1) return false;
  if (!readPoint(curve, g1, input, 96, sum) || g1.isZero(sum) === 1) return false;
  mcl._mclBnFr_inv(inverse, scalar);
  mcl._mclBnFr_mul(inverse, inverse, r);
  const factor = toScalarBytes(curve, inverse);
  mcl._mclBnFr_inv(inverse, r);
  readScalar(curve, input.subarray(0, 32), scalar);
  mcl._mclBnFr_mul(scalar, scalar, inverse);
  if (mcl._mclBnFr_isZero(scalar) === 0) {
    openssl.setPrivateKey(toScalarBytes(curve, scalar));
    readPoint(curve, g1, openssl.getPublicKey(), 1, other);
    g1.add(sum, sum, other);
  }
  if (g1.isZero(sum) === 1) return false;
  openssl.setPrivateKey(factor);
  readScalar(curve, openssl.computeSecret(concat(uncompressed, writePoint(curve, g1, sum))), scalar);
  return mcl._mclBnFr_isEqual(scalar, r) === 1;
}

function toScalarBytes({ mcl, buffer }: Curve, scalar: number): Uint8Array {
  mcl._mclBnFr_serialize(buffer, 32, scalar);
  return new Uint8Array(mcl.HEAP8.buffer, buffer, 32).slice().reverse();
}
