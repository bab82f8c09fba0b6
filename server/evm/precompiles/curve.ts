/**
 * Elliptic curves from the mcl library in WebAssembly, loaded on first use. Each instance supports one curve; values
 * are in its memory, and functions take their addresses. Only multiply points in the prime-order subgroup, because
 * mcl's shortcuts give wrong results for other points.
 */
import { toRead } from "@/server/ethereum/pending";

type GroupCall =
  | "add"
  | "clear"
  | "dbl"
  | "deserialize"
  | "isEqual"
  | "isValid"
  | "isZero"
  | "mul"
  | "mulVec"
  | "neg"
  | "normalize"
  | "sub";
type FieldCall = "add" | "inv" | "isZero" | "mul" | "sqr" | "sub";
type Call =
  | `G1_${GroupCall}`
  | `G2_${GroupCall}`
  | `Fr_${"deserialize" | "inv" | "isEqual" | "isZero" | "mul" | "neg" | "serialize" | "setBigEndianMod"}`
  | `${"Fp" | "Fp2"}_${FieldCall | "neg"}`
  | `Fp_${"deserialize" | "mapToG1" | "serialize" | "setInt32"}`
  | "Fp2_mapToG2"
  | "GT_isOne"
  | "GT_mul"
  | `_${"init" | "setETHserialization" | "setMapToMode" | "verifyOrderG1" | "verifyOrderG2"}`
  | `_${"finalExp" | "getUint64NumToPrecompute" | "millerLoopVec" | "precomputeG2" | "precomputedMillerLoop2"}`;

/** The library's C functions, which take and return numbers and addresses. */
type Mcl = { readonly HEAP8: Int8Array; _malloc(bytes: number): number; _free(address: number): void } & Record<
  `_mclBn${Call}`,
  (...operands: number[]) => number
>;

/** The group G1, or the group G2 over the quadratic extension of the field. */
export type Group = {
  /** The number of field elements per coordinate. */
  degree: 1 | 2;
  /** The field that the coordinates belong to. */
  field: { size: number } & Record<FieldCall, (...operands: number[]) => number>;
  /** Size of a point in the precompiles' encoding, in bytes. */
  bytes: number;
  /** Size of a point in the instance's memory, in bytes. */
  size: number;
} & Record<GroupCall, (...operands: number[]) => number>;

export type Curve = {
  mcl: Mcl;
  g1: Group;
  g2: Group;
  /** Size of a field element in bytes, without and with the leading zeros of the precompiles' encoding. */
  fieldBytes: number;
  paddedBytes: number;
  /** The byte order that mcl uses for numbers. */
  isBigEndian: boolean;
  /** Memory for input and output bytes. */
  buffer: number;
  /** Scratch memory for operations: points of either group, scalars, and a product of pairings. */
  points: readonly [number, number, number];
  scalars: readonly [number, number, number];
  product: number;
};

type CurveName = "bn254" | "bls12381" | "p256";
/** mcl's number for the curve, and the sizes of its field elements. */
const curves: Record<CurveName, [number: number, fieldBytes: number, paddedBytes: number]> = {
  bn254: [4, 32, 32],
  bls12381: [5, 48, 64],
  p256: [107, 32, 32],
};
/** The package was compiled for fields of up to six 64-bit words and scalars of up to four. */
const compiledFor = 46;
export const fieldSize = 48;
export const scalarSize = 32;
const productSize = 12 * fieldSize;
/** mcl's number for RFC 9380, which EIP-2537 follows. */
const rfc9380 = 5;

const loading = new Map<CurveName, Promise<Curve>>();

/** The curve's instance in this thread. Throws PendingRead until it is loaded. */
export const getCurve = toRead((name: CurveName) => {
  const known = loading.get(name) ?? createCurve(name);
  loading.set(name, known);
  return known;
});

async function createCurve(name: CurveName): Promise<Curve> {
  // Loads the module directly, because the package's index uses one instance for all curves.
  const { default: createModule } = await import("mcl-wasm/dist/mcl_c.js");
  const mcl: Mcl = await createModule({});
  const [number, fieldBytes, paddedBytes] = curves[name];
  if (mcl._mclBn_init(number, compiledFor) !== 0) throw new Error(`mcl does not know the curve ${name}.`);
  // Makes mcl use Ethereum's encoding: big-endian numbers and compressed points. This only affects BLS12-381.
  mcl._mclBn_setETHserialization(1);
  mcl._mclBn_setMapToMode(rfc9380);
  // Turns off mcl's own subgroup checks. Precompiles that require points in the subgroup do these checks themselves.
  mcl._mclBn_verifyOrderG1(0);
  mcl._mclBn_verifyOrderG2(0);
  const allocate = (bytes: number) => allocateIn(mcl, bytes);
  const point = 6 * fieldSize;
  return {
    mcl,
    g1: toGroup(mcl, "G1", 1, paddedBytes),
    g2: toGroup(mcl, "G2", 2, paddedBytes),
    fieldBytes,
    paddedBytes,
    isBigEndian: name === "bls12381",
    buffer: allocate(256),
    points: [allocate(point), allocate(point), allocate(point)],
    scalars: [allocate(scalarSize), allocate(scalarSize), allocate(scalarSize)],
    product: allocate(productSize),
  };
}

function toGroup(mcl: Mcl, name: "G1" | "G2", degree: 1 | 2, paddedBytes: number): Group {
  const fieldName = degree === 1 ? "Fp" : "Fp2";
  return {
    degree,
    field: {
      size: degree * fieldSize,
      add: mcl[`_mclBn${fieldName}_add`],
      inv: mcl[`_mclBn${fieldName}_inv`],
      isZero: mcl[`_mclBn${fieldName}_isZero`],
      mul: mcl[`_mclBn${fieldName}_mul`],
      sqr: mcl[`_mclBn${fieldName}_sqr`],
      sub: mcl[`_mclBn${fieldName}_sub`],
    },
    bytes: 2 * degree * paddedBytes,
    size: 3 * degree * fieldSize,
    add: mcl[`_mclBn${name}_add`],
    clear: mcl[`_mclBn${name}_clear`],
    dbl: mcl[`_mclBn${name}_dbl`],
    deserialize: mcl[`_mclBn${name}_deserialize`],
    isEqual: mcl[`_mclBn${name}_isEqual`],
    isValid: mcl[`_mclBn${name}_isValid`],
    isZero: mcl[`_mclBn${name}_isZero`],
    mul: mcl[`_mclBn${name}_mul`],
    mulVec: mcl[`_mclBn${name}_mulVec`],
    neg: mcl[`_mclBn${name}_neg`],
    normalize: mcl[`_mclBn${name}_normalize`],
    sub: mcl[`_mclBn${name}_sub`],
  };
}

export function allocateIn(mcl: Mcl, bytes: number): number {
  const address = mcl._malloc(bytes);
  if (address === 0) throw new Error(`There is not enough memory for ${bytes} bytes of curve points.`);
  return address;
}

/** Calls `work` with temporary memory for `count` points in the group and as many scalars. */
export function withMemory<T>(
  { mcl }: Curve,
  group: Group,
  count: number,
  work: (points: number, scalars: number) => T,
): T {
  const points = allocateIn(mcl, count * (group.size + scalarSize));
  try {
    return work(points, points + count * group.size);
  } finally {
    mcl._free(points);
  }
}

function putNumber({ mcl, buffer, isBigEndian }: Curve, bytes: Uint8Array): void {
  const { HEAP8 } = mcl;
  HEAP8.set(bytes, buffer);
  if (!isBigEndian) HEAP8.subarray(buffer, buffer + bytes.length).reverse();
}

/** Reads the field element at this offset in the input. Returns false if it isn't below the modulus. */
export function readField(curve: Curve, input: Uint8Array, offset: number, address: number): boolean {
  const { mcl, buffer, fieldBytes, paddedBytes } = curve;
  const start = offset + paddedBytes - fieldBytes;
  if (!isZeroAt(input, offset, start)) return false;
  putNumber(curve, input.subarray(start, start + fieldBytes));
  return mcl._mclBnFp_deserialize(address, buffer, fieldBytes) === fieldBytes;
}

/**
 * Reads a point on the curve from its affine coordinates; all zeros means infinity. Returns false if the bytes aren't a
 * point. An element of the extension field has its real part first, unless the caller says otherwise.
 */
export function readPoint(
  curve: Curve,
  group: Group,
  input: Uint8Array,
  offset: number,
  address: number,
  isImaginaryFirst = false,
): boolean {
  const { mcl, paddedBytes } = curve;
  const { degree } = group;
  for (let index = 0; index < 2 * degree; index++) {
    const from = isImaginaryFirst ? index ^ 1 : index;
    if (!readField(curve, input, offset + from * paddedBytes, address + index * fieldSize)) return false;
  }
  if (isZeroAt(input, offset, offset + group.bytes)) {
    group.clear(address);
    return true;
  }
  const z = address + 2 * degree * fieldSize;
  mcl._mclBnFp_setInt32(z, 1);
  if (degree === 2) mcl._mclBnFp_setInt32(z + fieldSize, 0);
  return group.isValid(address) === 1;
}

export function isZeroAt(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}

/** Writes the point in the encoding that `readPoint` reads, with the real part first. */
export function writePoint(curve: Curve, group: Group, address: number): Uint8Array {
  const { mcl, buffer, fieldBytes, paddedBytes, isBigEndian } = curve;
  const output = new Uint8Array(group.bytes);
  if (group.isZero(address) === 1) return output;
  group.normalize(address, address);
  for (let index = 0; index < 2 * group.degree; index++) {
    mcl._mclBnFp_serialize(buffer, fieldBytes, address + index * fieldSize);
    const number = mcl.HEAP8.subarray(buffer, buffer + fieldBytes);
    output.set(isBigEndian ? number : number.reverse(), (index + 1) * paddedBytes - fieldBytes);
  }
  return output;
}

/** Reads 32 bytes as a scalar and reduces it modulo the order. */
export function readScalar({ mcl, buffer }: Curve, bytes: Uint8Array, address: number): void {
  mcl.HEAP8.set(bytes, buffer);
  mcl._mclBnFr_setBigEndianMod(address, buffer, 32);
}

/** Reads 32 bytes as a scalar. Returns false if it isn't below the order. */
export function readReducedScalar(curve: Curve, bytes: Uint8Array, address: number): boolean {
  const { mcl, buffer } = curve;
  putNumber(curve, bytes);
  return mcl._mclBnFr_deserialize(address, buffer, 32) === 32;
}

/**
 * Whether the product of the pairings in the input is one. Undefined if readPair rejects a pair. A pair is a point of
 * G1 and a point of G2.
 */
export function isProductOne(
  curve: Curve,
  input: Uint8Array,
  readPair: (offset: number, g1: number, g2: number) => boolean,
): boolean | undefined {
  const { mcl, g1, g2, product } = curve;
  const pairBytes = g1.bytes + g2.bytes;
  const count = input.length / pairBytes;
  const firsts = allocateIn(mcl, Math.max(1, count) * (g1.size + g2.size));
  try {
    const seconds = firsts + count * g1.size;
    let pairs = 0;
    for (let index = 0; index < count; index++) {
      const one = firsts + pairs * g1.size;
      const other = seconds + pairs * g2.size;
      if (!readPair(index * pairBytes, one, other)) return undefined;
      if (g1.isZero(one) === 0 && g2.isZero(other) === 0) pairs++;
    }
    if (pairs === 0) return true;
    // In groups of prime order, the result of a pairing is one only if one of its points is infinity.
    if (pairs === 1) return false;
    mcl._mclBn_millerLoopVec(product, firsts, seconds, pairs);
    mcl._mclBn_finalExp(product, product);
    return mcl._mclBnGT_isOne(product) === 1;
  } finally {
    mcl._free(firsts);
  }
}
