/** Keys are recovered as the reference library in JavaScript does, also from signatures that nobody made. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toBytes, toHex, toWord } from "@/server/chain/codec/bytes";
import { keccak } from "@/server/chain/codec/hash";
import { findPublicKey, findSigner } from "@/server/chain/codec/signature";

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

it("finds who signed", () => {
  fc.assert(
    fc.property(bytes32, bytes32, (key, hash) => {
      fc.pre(secp256k1.utils.isValidSecretKey(key));
      const { r, s, recovery } = secp256k1.Signature.fromBytes(
        secp256k1.sign(hash, key, { prehash: false, format: "recovered" }),
        "recovered",
      );
      const signer = toHex(keccak(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12));
      expect(findSigner(hash, { r, s, yParity: recovery! })).toBe(signer);
      // The mirrored signature is the same key's, and not a valid transaction's (EIP-2).
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

it("finds the same key as the reference, or none where it finds none", () => {
  fc.assert(
    fc.property(bytes32, scalar, scalar, parity, (hash, r, s, yParity) => {
      const found = findPublicKey(hash, toBytes(`${toWord(r)}${toWord(s).slice(2)}`), yParity);
      expect(found && toHex(found)).toBe(referenceKey(hash, r, s, yParity));
    }),
    { numRuns: 200 },
  );
});
