/**
 * Arithmetic on BLS12-381 at 0x0b to 0x11 (EIP-2537): addition, multi-scalar multiplication, pairing and mapping to the
 * curve. Additions accept any point of the curve, the others only points of the prime-order subgroup.
 */
import { pippenger } from "@noble/curves/abstract/curve.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { toBigInt } from "@/server/ethereum/codec/bytes";
import {
  findFp,
  findFp2,
  findG1,
  findG2,
  fpBytes,
  fromG1,
  fromG2,
  G1,
  type G1Point,
  G2,
  type G2Point,
  g1Bytes,
  g2Bytes,
} from "@/server/evm/precompiles/bls12381Points";
import { curveWeight, type Precompile, priced, toFixedBytes } from "@/server/evm/precompiles/result";

const { Fr, Fp12 } = bls12_381.fields;
/** The library's types claim that its maps take and return plain coordinates. */
const mapFp = bls12_381.G1.mapToCurve as unknown as (element: bigint) => G1Point;
const mapFp2 = bls12_381.G2.mapToCurve as unknown as (element: [bigint, bigint]) => G2Point;
const scalarBytes = 32;
const badLength = "bls12-381: input has the wrong length";
const badPoint = "bls12-381: not a point of the group";

/** Price per pair by the number of pairs, in thousandths; the last entry applies to all larger numbers. */
// biome-ignore format: a table of the EIP
const g1Discounts = [
  1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677, 673, 669, 665, 661, 658, 654, 651,
  648, 645, 642, 640, 637, 635, 632, 630, 627, 625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601,
  599, 598, 596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576, 575, 574, 573, 572, 570,
  569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547,
  547, 546, 545, 544, 543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531, 530, 529, 528,
  528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];
// biome-ignore format: a table of the EIP
const g2Discounts = [
  1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717, 711, 704, 699, 693, 688, 683, 679,
  674, 670, 666, 663, 659, 655, 652, 649, 646, 643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611,
  609, 607, 606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582, 580, 579, 578, 576, 575,
  574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562, 561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551,
  550, 549, 548, 547, 546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535, 534, 533, 532,
  532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];

export const g1Add = priced(
  () => 375n,
  (input) => {
    if (input.length !== 2 * g1Bytes) return badLength;
    const one = findG1(input, 0, false);
    const other = findG1(input, g1Bytes, false);
    return one && other ? fromG1(one.add(other)) : badPoint;
  },
  curveWeight,
);

export const g2Add = priced(
  () => 600n,
  (input) => {
    if (input.length !== 2 * g2Bytes) return badLength;
    const one = findG2(input, 0, false);
    const other = findG2(input, g2Bytes, false);
    return one && other ? fromG2(one.add(other)) : badPoint;
  },
  curveWeight,
);

function msmPrice(pairBytes: number, each: bigint, discounts: readonly number[]) {
  return (inputBytes: number): bigint => {
    const pairs = Math.floor(inputBytes / pairBytes);
    const discount = discounts[Math.min(pairs, discounts.length) - 1] ?? 0;
    return (BigInt(pairs) * each * BigInt(discount)) / 1_000n;
  };
}

/** The pairs of point and scalar. Scalars may have any value and are taken modulo the order; infinity adds nothing. */
function readPairs<P extends { is0(): boolean }>(
  input: Uint8Array,
  pointBytes: number,
  find: (bytes: Uint8Array, at: number, inSubgroup: boolean) => P | undefined,
): { points: P[]; scalars: bigint[] } | string {
  const pairBytes = pointBytes + scalarBytes;
  if (input.length === 0 || input.length % pairBytes !== 0) return badLength;
  const points: P[] = [];
  const scalars: bigint[] = [];
  for (let at = 0; at < input.length; at += pairBytes) {
    const point = find(input, at, true);
    if (!point) return badPoint;
    const scalar = Fr.create(toBigInt(input.subarray(at + pointBytes, at + pairBytes)));
    if (point.is0() || scalar === 0n) continue;
    points.push(point);
    scalars.push(scalar);
  }
  return { points, scalars };
}

export const g1Msm: Precompile = priced(
  msmPrice(g1Bytes + scalarBytes, 12_000n, g1Discounts),
  (input) => {
    const pairs = readPairs(input, g1Bytes, findG1);
    if (typeof pairs === "string") return pairs;
    const { points, scalars } = pairs;
    const [first] = points;
    if (!first) return fromG1(G1.ZERO);
    return fromG1(points.length === 1 ? first.multiplyUnsafe(scalars[0]!) : pippenger(G1, points, scalars));
  },
  curveWeight,
);

export const g2Msm: Precompile = priced(
  msmPrice(g2Bytes + scalarBytes, 22_500n, g2Discounts),
  (input) => {
    const pairs = readPairs(input, g2Bytes, findG2);
    if (typeof pairs === "string") return pairs;
    const { points, scalars } = pairs;
    const [first] = points;
    if (!first) return fromG2(G2.ZERO);
    return fromG2(points.length === 1 ? first.multiplyUnsafe(scalars[0]!) : pippenger(G2, points, scalars));
  },
  curveWeight,
);

export const pairing: Precompile = priced(
  (inputBytes) => 37_700n + 32_600n * BigInt(Math.floor(inputBytes / (g1Bytes + g2Bytes))),
  (input) => {
    if (input.length === 0 || input.length % (g1Bytes + g2Bytes) !== 0) return badLength;
    const pairs: { g1: G1Point; g2: G2Point }[] = [];
    for (let at = 0; at < input.length; at += g1Bytes + g2Bytes) {
      const g1 = findG1(input, at, true);
      const g2 = g1 && findG2(input, at + g1Bytes, true);
      if (!g1 || !g2) return badPoint;
      // A pairing with infinity is one.
      if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 });
    }
    const isOne = pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
    return toFixedBytes(isOne ? 1n : 0n, 32);
  },
  curveWeight,
);

export const mapToG1 = priced(
  () => 5_500n,
  (input) => {
    if (input.length !== fpBytes) return badLength;
    const element = findFp(input, 0);
    return element === undefined ? "bls12-381: not a field element" : fromG1(mapFp(element));
  },
  curveWeight,
);

export const mapToG2 = priced(
  () => 23_800n,
  (input) => {
    if (input.length !== 2 * fpBytes) return badLength;
    const element = findFp2(input, 0);
    return element ? fromG2(mapFp2([element.c0, element.c1])) : "bls12-381: not a field element";
  },
  curveWeight,
);
