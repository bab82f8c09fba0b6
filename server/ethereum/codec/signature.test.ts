/** Tests that key recovery matches the JavaScript reference library, even for made-up signatures. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import { findPublicKey, findSigner } from "@/server/ethereum/codec/signature";

const order = secp256k1.Point.CURVE().n;
const field = secp256k1.Point.CURVE().p;

function referenceKey(hash: Uint8Array, r: bigint, s: bigint, yParity: number): string | undefined {
  try {
    const point = new secp256k1.Signature(r, s, yParity).recoverPublicKey(hash);
    return toHex(point.toBytes(false).subarray(1));
  } catch {
    return undefined;
  }
}

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n, 5n, order >> 1n, (order >> 1n) + 1n, order - 1n, order, order + 1n, field, field - order),
);
const parity = fc.constantFrom<0 | 1>(0, 1);

it("recovers the signer", () => {
  fc.assert(
    fc.property(bytes32, bytes32, (key, hash) => {
      fc.pre(secp256k1.utils.isValidSecretKey(key));
      const { r, s, recovery } = secp256k1.Signature.fromBytes(
        secp256k1.sign(hash, key, { prehash: false, format: "recovered" }),
        "recovered",
      );
      const signer = toHex(keccak(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12));
      expect(findSigner(hash, { r, s, yParity: recovery! })).toBe(signer);
      // The mirrored signature gives the same key but is invalid in a transaction (EIP-2).
      expect(findSigner(hash, { r, s: order - s, yParity: 1 - recovery! })).toBeUndefined();
      const mirrored = findPublicKey(
        hash,
        toBytes(`${toWord(r)}${toWord(order - s).slice(2)}`),
        recovery === 0 ? 1 : 0,
      );
      expect(toHex(mirrored!)).toBe(toHex(secp256k1.getPublicKey(key, false).subarray(1)));
    }),
    { numRuns: 30 },
  );
});

it("recovers the same key as the reference, or nothing if the reference recovers nothing", () => {
  fc.assert(
    fc.property(bytes32, scalar, scalar, parity, (hash, r, s, yParity) => {
      const found = findPublicKey(hash, toBytes(`${toWord(r)}${toWord(s).slice(2)}`), yParity);
      expect(found && toHex(found)).toBe(referenceKey(hash, r, s, yParity));
    }),
    { numRuns: 200 },
  );
});

it("recovers the key for every way that the two halves of the computation can combine", () => {
  const { Point } = secp256k1;
  const mod = (value: bigint) => ((value % order) + order) % order;
  /** λ, the eigenvalue of the curve's endomorphism. Recovery uses it to split each factor into two halves. */
  const endomorphism = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;
  const special = [1n, 2n, 3n, 15n, 16n, 2n ** 127n, 2n ** 128n - 1n, 2n ** 128n, endomorphism, order - 1n];
  let keys = 0;
  for (const k of special) {
    const { x: r, y } = Point.BASE.multiply(k).toAffine();
    const yParity = Number(y & 1n) as 0 | 1;
    for (const times of special) {
      // Recovery multiplies the point R by s / r. This s makes that factor `times`.
      const s = mod(times * r);
      // Recovery adds a multiple of G to a multiple of R; call the second one M. These five hashes make the multiple of
      // G zero, -M, M, -M - G, and 2M.
      for (const z of [0n, mod(s * k), mod(-s * k), mod(s * k + r), mod(-s * k * 2n)]) {
        const hash = toBytes(toWord(z));
        const key = findPublicKey(hash, toBytes(`${toWord(r)}${toWord(s).slice(2)}`), yParity);
        expect(key && toHex(key)).toBe(referenceKey(hash, r, s, yParity));
        if (key) keys++;
      }
    }
  }
  // If the two multiples cancel out, recovery finds no key. That happens for one of the five hashes.
  expect(keys).toBe(special.length ** 2 * 4);
});
