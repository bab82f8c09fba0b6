/**
 * The prime-order subgroups of BLS12-381 and of bn254's G2. An endomorphism multiplies the points of these subgroups,
 * and no others, by a known short scalar. This makes subgroup checks fast and splits scalars into short digits.
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

/** The parameters of the curves. BLS12-381's parameter is negative; this is its absolute value. */
const parameter = 0xd201000000010000n;
const bn254Parameter = 0x44e992b44a6909f1n;
const compressedFlag = 0x80;
const infinityFlag = 0x40;

/**
 * The constants of RFC 9380, appendix G.3: (1 + i) to the power of (1 - p) / 3, which is a multiple of i, and (1 + i)
 * to the power of (1 - p) / 2.
 */
const frobeniusFactors = [
  0n,
  0x1a0111ea397fe699ec02408663d4de85aa0d857d89759ad4897d29650fb85f9b409427eb4f49fffd8bfd00000000aaadn,
  0x135203e60180a68ee2e9c448d77a2cd91c3dedd930b1cf60ef396489f61eb45e304466cf3e67fa0af1ee7b04121bdea2n,
  0x06af0e0437ff400b6831e36d6bd17ffe48395dabc2d3435e77f76e17009241c5ee67992f72ec05f4c81084fbede3cc09n,
];
/** (9 + i) to the powers (p - 1) / 3 and (p - 1) / 2. */
const bn254FrobeniusFactors = [
  0x2fb347984f7911f74c0bec3cf559b143b78cc310c2c3330c99e39557176f553dn,
  0x16c9e55061ebae204ba4cc8bd75a079432ae2a1d0b7c9dce1665d51c640fcba2n,
  0x063cf305489af5dcdc5ec698b6e2f9b9dbaae0eda9c95998dc54014671a0135an,
  0x07c03cbcac41049a0704b5a7ec796f2b21807dc98fa25bd282d37f632623b0e3n,
];
/** A cube root of one. */
const cubeRoot = 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen;

export type Endomorphism = {
  group: Group;
  /**
   * The number by which `apply()` multiplies a point in the subgroup, and the number of digits that a scalar has in
   * this base.
   */
  base: bigint;
  digits: number;
  /** `source` must be infinity or have affine coordinates. */
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
  const root = toConstant(curve, cubeRoot);
  const frobenius = createFrobenius(curve, frobeniusFactors);
  const [image, multiple, power] = [0, 1, 2].map(() => allocateIn(mcl, g2.size)) as [number, number, number];

  const first: Endomorphism = {
    group: g1,
    base: parameter ** 2n,
    digits: 2,
    apply(target, source) {
      mcl.HEAP8.copyWithin(target, source, source + g1.size);
      mcl._mclBnFp_mul(target, target, root);
      mcl._mclBnFp_neg(target + fieldSize, target + fieldSize);
    },
    isInSubgroup(address) {
      first.apply(image, address);
      multiply(g1, power, address, parameter);
      multiply(g1, multiple, power, parameter);
      return g1.isEqual(multiple, image) === 1;
    },
  };
  const second: Endomorphism = {
    group: g2,
    base: parameter,
    digits: 4,
    apply(target, source) {
      frobenius(target, source);
      g2.neg(target, target);
    },
    isInSubgroup(address) {
      second.apply(image, address);
      multiply(g2, multiple, address, parameter);
      return g2.isEqual(multiple, image) === 1;
    },
  };
  return { g1: first, g2: second };
}

function toConstant(curve: Curve, ...elements: bigint[]): number {
  const address = allocateIn(curve.mcl, elements.length * fieldSize);
  for (const [index, element] of elements.entries()) {
    readField(curve, toFixedBytes(element, curve.paddedBytes), 0, address + index * fieldSize);
  }
  return address;
}

/** The Frobenius endomorphism on G2: conjugates the affine coordinates and multiplies them by constants. */
function createFrobenius(curve: Curve, factors: readonly bigint[]): (target: number, source: number) => void {
  const { mcl, g2 } = curve;
  const constants = toConstant(curve, ...factors);
  return (target, source) => {
    mcl.HEAP8.copyWithin(target, source, source + g2.size);
    for (const offset of [0, g2.field.size]) {
      mcl._mclBnFp_neg(target + offset + fieldSize, target + offset + fieldSize);
      g2.field.mul(target + offset, target + offset, constants + offset);
    }
  };
}

let isInBn254: ((address: number) => boolean) | undefined;

/** Whether this affine point on bn254's G2 is in the subgroup. Throws PendingRead until the curve is loaded. */
export function isInBn254Subgroup(address: number): boolean {
  isInBn254 ??= createBn254Check(getCurve("bn254"));
  return isInBn254(address);
}

/**
 * Checks the equation from El Housni, Guillevic and Piellard, "Co-factor clearing and subgroup membership testing on
 * pairing-friendly curves", section 5.1: (u + 1) Q + f(u Q) + f(f(u Q)) = f(f(f(2u Q))) for the parameter u and the
 * Frobenius endomorphism f.
 */
function createBn254Check(curve: Curve): (address: number) => boolean {
  const { mcl, g2 } = curve;
  const frobenius = createFrobenius(curve, bn254FrobeniusFactors);
  const [image, sum] = [allocateIn(mcl, g2.size), allocateIn(mcl, g2.size)];
  return (address) => {
    multiply(g2, image, address, bn254Parameter);
    g2.normalize(image, image);
    g2.add(sum, address, image);
    for (let index = 0; index < 2; index++) {
      frobenius(image, image);
      g2.add(sum, sum, image);
    }
    frobenius(image, image);
    g2.dbl(image, image);
    return g2.isEqual(sum, image) === 1;
  };
}

/** Only uses additions and doublings, which are correct for every point on the curve. */
function multiply(group: Group, target: number, source: number, factor: bigint): void {
  let at = source;
  for (const bit of factor.toString(2).slice(1)) {
    group.dbl(target, at);
    if (bit === "1") group.add(target, target, source);
    at = target;
  }
}

/** Reads a compressed point. Returns false if the bytes don't encode a point in the prime-order subgroup. */
export function readCompressed(curve: Curve, name: "g1" | "g2", bytes: Uint8Array, address: number): boolean {
  const { mcl, buffer } = curve;
  const group = curve[name];
  if ((bytes[0]! & infinityFlag) !== 0) {
    // Checks the encoding here, because mcl also accepts other encodings of infinity.
    group.clear(address);
    return bytes[0] === (compressedFlag | infinityFlag) && isZeroAt(bytes, 1, bytes.length);
  }
  mcl.HEAP8.set(bytes, buffer);
  return (
    group.deserialize(address, buffer, bytes.length) === bytes.length && getEndomorphism(name).isInSubgroup(address)
  );
}
