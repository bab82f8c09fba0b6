/**
 * P256VERIFY at 0x0100 (EIP-7951): returns the number one as a word if a secp256r1 signature is valid, and no bytes
 * otherwise. It fails only if it runs out of gas.
 */
import {
  getCurve,
  readPoint,
  readReducedScalar,
  readScalar,
  withMemory,
  writePoint,
} from "@/server/evm/precompiles/curve";
import { curveWeight, noBytes, priced, toFixedBytes } from "@/server/evm/precompiles/result";

const inputBytes = 160;

/** Input: hash, r, s, and the key's x and y, 32 bytes each. s may be in either half. */
export const p256Verify = priced(
  () => 6_900n,
  (input) => (input.length === inputBytes && isSignatureValid(input) ? toFixedBytes(1n, 32) : noBytes),
  curveWeight,
);

/** FIPS 186-5, section 6.4.2: `r` must be the x coordinate of (hash / s) * G + (r / s) * key. */
function isSignatureValid(input: Uint8Array): boolean {
  const curve = getCurve("p256");
  const { mcl, g1, points, scalars } = curve;
  const [r, s, x] = scalars;
  if (!readReducedScalar(curve, input.subarray(32, 64), r) || mcl._mclBnFr_isZero(r) === 1) return false;
  if (!readReducedScalar(curve, input.subarray(64, 96), s) || mcl._mclBnFr_isZero(s) === 1) return false;
  const [sum] = points;
  return withMemory(curve, g1, 2, (terms, factors) => {
    const key = terms + g1.size;
    if (!readPoint(curve, g1, input, 96, key) || g1.isZero(key) === 1) return false;
    mcl._mclBnG1_getBasePoint(terms);
    readScalar(curve, input.subarray(0, 32), factors);
    mcl._mclBnFr_div(factors, factors, s);
    mcl._mclBnFr_div(factors + 32, r, s);
    g1.mulVec(sum, terms, factors, 2);
    if (g1.isZero(sum) === 1) return false;
    readScalar(curve, writePoint(curve, g1, sum).subarray(0, 32), x);
    return mcl._mclBnFr_isEqual(x, r) === 1;
  });
}
