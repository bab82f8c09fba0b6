/**
 * The prime-order subgroups of BLS12-381. In these subgroups, and only there, an endomorphism multiplies a point by a
 * short number. That gives a short subgroup check and splits scalars into short digits.
 */
import {
  allocateIn,
  type Curve,
  fieldSize,
  type Group,
  getCurve,
  isZeroAt,
  readField,
} from "@/server/evm/precompiles/curve";
import { toFixedBytes } from "@/server/evm/precompiles/result";

/** The absolute value of the curve's parameter, which is negative. */
const parameter = 0xd201000000010000n;
const parameterBits = [...parameter.toString(2)].slice(1);
const compressedFlag = 0x80;
const infinityFlag = 0x40;

/** RFC 9380, appendix G.3: (1 + i) to the power of (1 - p) / 3, a multiple of i, and (1 + i) to the power of (1 - p) / 2. */
const xFactor = 0x1a0111ea397fe699ec02408663d4de85aa0d857d89759ad4897d29650fb85f9b409427eb4f49fffd8bfd00000000aaadn;
const yFactor = [
  0x135203e60180a68ee2e9c448d77a2cd91c3dedd930b1cf60ef396489f61eb45e304466cf3e67fa0af1ee7b04121bdea2n,
  0x06af0e0437ff400b6831e36d6bd17ffe48395dabc2d3435e77f76e17009241c5ee67992f72ec05f4c81084fbede3cc09n,
] as const;
/** A cube root of one. */
const cubeRoot = 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen;

export type Endomorphism = {
  group: Group;
  /**
   * The number by which `apply()` multiplies a point of the subgroup, and how many digits a scalar has in this base.
   */
  base: bigint;
  digits: number;
  /** `source` is infinity or has affine coordinates. */
  apply(target: number, source: number): void;
  isInSubgroup(address: number): boolean;
};

let endomorphisms: Record<"g1" | "g2", Endomorphism> | undefined;

/** Throws PendingRead until the curve is loaded. */
export function getEndomorphism(name: "g1" | "g2"): Endomorphism {
  endomorphisms ??= createEndomorphisms(getCurve("bls12381"));
  return endomorphisms[name];
}

function createEndomorphisms(curve: Curve): Record<"g1" | "g2", Endomorphism> {
  const { mcl, g1, g2 } = curve;
  const toConstant = (...elements: bigint[]) => {
    const address = allocateIn(mcl, elements.length * fieldSize);
    for (const [index, element] of elements.entries()) {
      readField(curve, toFixedBytes(element, curve.paddedBytes), 0, address + index * fieldSize);
    }
    return address;
  };
  const [root, x, y] = [toConstant(cubeRoot), toConstant(xFactor), toConstant(...yFactor)];
  const [image, multiple, power] = [0, 1, 2].map(() => allocateIn(mcl, g2.size)) as [number, number, number];
  const copy = (target: number, source: number, bytes: number) => mcl.HEAP8.copyWithin(target, source, source + bytes);

  const first: Endomorphism = {
    group: g1,
    base: parameter ** 2n,
    digits: 2,
    apply(target, source) {
      copy(target, source, g1.size);
      mcl._mclBnFp_mul(target, target, root);
      mcl._mclBnFp_neg(target + fieldSize, target + fieldSize);
    },
    isInSubgroup(address) {
      first.apply(image, address);
      multiplyByParameter(g1, power, address);
      multiplyByParameter(g1, multiple, power);
      return g1.isEqual(multiple, image) === 1;
    },
  };
  const second: Endomorphism = {
    group: g2,
    base: parameter,
    digits: 4,
    apply(target, source) {
      copy(target, source, g2.size);
      mcl._mclBnFp_mul(target, source + fieldSize, x);
      mcl._mclBnFp_mul(target + fieldSize, source, x);
      // The negated conjugate.
      mcl._mclBnFp_neg(target + 2 * fieldSize, target + 2 * fieldSize);
      mcl._mclBnFp2_mul(target + 2 * fieldSize, target + 2 * fieldSize, y);
    },
    isInSubgroup(address) {
      second.apply(image, address);
      multiplyByParameter(g2, multiple, address);
      return g2.isEqual(multiple, image) === 1;
    },
  };
  return { g1: first, g2: second };
}

/** This uses only additions and doublings, which are correct for every point of the curve. */
function multiplyByParameter(group: Group, target: number, source: number): void {
  let at = source;
  for (const bit of parameterBits) {
    group.dbl(target, at);
    if (bit === "1") group.add(target, target, source);
    at = target;
  }
}

/** Reads a compressed point; false if the bytes don't encode one of the prime-order subgroup. */
export function readCompressed(curve: Curve, name: "g1" | "g2", bytes: Uint8Array, address: number): boolean {
  const { mcl, buffer } = curve;
  const group = curve[name];
  if ((bytes[0]! & infinityFlag) !== 0) {
    // mcl also accepts other encodings of infinity.
    group.clear(address);
    return bytes[0] === (compressedFlag | infinityFlag) && isZeroAt(bytes, 1, bytes.length);
  }
  mcl.HEAP8.set(bytes, buffer);
  return (
    group.deserialize(address, buffer, bytes.length) === bytes.length && getEndomorphism(name).isInSubgroup(address)
  );
}
