/**
 * The precompiles for BLS12-381 at 0x0b to 0x11 (EIP-2537): addition, multi-scalar multiplication, pairing and mapping
 * to the curve. Additions accept any point on the curve; the other operations only accept points in the prime-order
 * subgroup. A field element is 64 bytes, the first 16 of which are zero; a point is encoded as its affine coordinates,
 * and infinity as all zeros.
 */
import {
  type Curve,
  getCurve,
  isProductOne,
  readField,
  readPoint,
  readScalar,
  withMemory,
  writePoint,
} from "@/server/evm/precompiles/curve";
import { sumProducts } from "@/server/evm/precompiles/multiScalar";
import { curveWeight, type Precompile, priced, toFixedBytes } from "@/server/evm/precompiles/result";
import { type Endomorphism, getEndomorphism } from "@/server/evm/precompiles/subgroup";

const fieldBytes = 64;
const g1Bytes = 2 * fieldBytes;
const g2Bytes = 4 * fieldBytes;
const scalarBytes = 32;
const badLength = "bls12-381: input has the wrong length";
const badPoint = "bls12-381: not a point of the group";
const badField = "bls12-381: not a field element";

/**
 * Price multipliers in thousandths, indexed by the number of pairs. The last multiplier applies to all larger numbers.
 */
// biome-ignore format: a table from the EIP
const g1Discounts = [
  1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677, 673, 669, 665, 661, 658, 654, 651,
  648, 645, 642, 640, 637, 635, 632, 630, 627, 625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601,
  599, 598, 596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576, 575, 574, 573, 572, 570,
  569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547,
  547, 546, 545, 544, 543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531, 530, 529, 528,
  528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];
// biome-ignore format: a table from the EIP
const g2Discounts = [
  1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717, 711, 704, 699, 693, 688, 683, 679,
  674, 670, 666, 663, 659, 655, 652, 649, 646, 643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611,
  609, 607, 606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582, 580, 579, 578, 576, 575,
  574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551,
  550, 549, 548, 547, 546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535, 534, 533, 532,
  532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];

function createAdd(groupName: "g1" | "g2", gas: bigint): Precompile {
  return priced(
    () => gas,
    (input) => {
      const curve = getCurve("bls12381");
      const group = curve[groupName];
      const [one, other] = curve.points;
      if (input.length !== 2 * group.bytes) return badLength;
      if (!readPoint(curve, group, input, 0, one)) return badPoint;
      if (!readPoint(curve, group, input, group.bytes, other)) return badPoint;
      group.add(one, one, other);
      return writePoint(curve, group, one);
    },
    curveWeight,
  );
}

export const g1Add = createAdd("g1", 375n);
export const g2Add = createAdd("g2", 600n);

function readInSubgroup(
  curve: Curve,
  { group, isInSubgroup }: Endomorphism,
  input: Uint8Array,
  offset: number,
  address: number,
): boolean {
  return readPoint(curve, group, input, offset, address) && isInSubgroup(address);
}

function msmPrice(pairBytes: number, each: bigint, discounts: readonly number[]) {
  return (inputBytes: number): bigint => {
    const pairs = Math.floor(inputBytes / pairBytes);
    const discount = discounts[Math.min(pairs, discounts.length) - 1] ?? 0;
    return (BigInt(pairs) * each * BigInt(discount)) / 1_000n;
  };
}

/** A scalar may have any value. It is reduced modulo the subgroup's order. */
function createMsm(groupName: "g1" | "g2", price: (inputBytes: number) => bigint): Precompile {
  return priced(
    price,
    (input) => {
      const curve = getCurve("bls12381");
      const endomorphism = getEndomorphism(groupName);
      const { group } = endomorphism;
      const pairBytes = group.bytes + scalarBytes;
      if (input.length === 0 || input.length % pairBytes !== 0) return badLength;
      const count = input.length / pairBytes;
      return withMemory(curve, group, count, (points, scalars) => {
        for (let index = 0; index < count; index++) {
          const offset = index * pairBytes;
          if (!readInSubgroup(curve, endomorphism, input, offset, points + index * group.size)) return badPoint;
          const scalar = input.subarray(offset + group.bytes, offset + pairBytes);
          readScalar(curve, scalar, scalars + index * scalarBytes);
        }
        const [sum] = curve.points;
        sumProducts(curve, endomorphism, sum, points, scalars, count);
        return writePoint(curve, group, sum);
      });
    },
    curveWeight,
  );
}

export const g1Msm = createMsm("g1", msmPrice(g1Bytes + scalarBytes, 12_000n, g1Discounts));
export const g2Msm = createMsm("g2", msmPrice(g2Bytes + scalarBytes, 22_500n, g2Discounts));

export const pairing: Precompile = priced(
  (inputBytes) => 37_700n + 32_600n * BigInt(Math.floor(inputBytes / (g1Bytes + g2Bytes))),
  (input) => {
    if (input.length === 0 || input.length % (g1Bytes + g2Bytes) !== 0) return badLength;
    const curve = getCurve("bls12381");
    const [g1, g2] = [getEndomorphism("g1"), getEndomorphism("g2")];
    const isOne = isProductOne(
      curve,
      input,
      (offset, one, other) =>
        readInSubgroup(curve, g1, input, offset, one) && readInSubgroup(curve, g2, input, offset + g1Bytes, other),
    );
    return isOne === undefined ? badPoint : toFixedBytes(isOne ? 1n : 0n, 32);
  },
  curveWeight,
);

export const mapToG1 = priced(
  () => 5_500n,
  (input) => {
    if (input.length !== fieldBytes) return badLength;
    const curve = getCurve("bls12381");
    const [point, element] = curve.points;
    if (!readField(curve, input, 0, element)) return badField;
    curve.mcl._mclBnFp_mapToG1(point, element);
    return writePoint(curve, curve.g1, point);
  },
  curveWeight,
);

export const mapToG2 = priced(
  () => 23_800n,
  (input) => {
    if (input.length !== 2 * fieldBytes) return badLength;
    const curve = getCurve("bls12381");
    const [point, element] = curve.points;
    if (!readField(curve, input, 0, element)) return badField;
    if (!readField(curve, input, fieldBytes, element + curve.fieldBytes)) return badField;
    curve.mcl._mclBnFp2_mapToG2(point, element);
    return writePoint(curve, curve.g2, point);
  },
  curveWeight,
);
