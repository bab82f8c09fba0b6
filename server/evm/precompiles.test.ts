/**
 * Compares every precompile of every fork with the reference implementation. Most inputs are well-formed, and some are
 * cut, extended or corrupted. The gas limit is ample, zero, exactly the price, or one less.
 */
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM, getActivePrecompiles } from "@ethereumjs/evm";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { p256 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { concat, toBigInt, toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { untilComplete } from "@/server/ethereum/pending";
import { type ForkName, forkNames } from "@/server/ethereum/spec";
import { toVersionedHash } from "@/server/evm/kzg";
import { getPrecompiles } from "@/server/evm/precompiles";
import { getCurve } from "@/server/evm/precompiles/curve";

beforeAll(async () => {
  for (const name of ["bn254", "bls12381", "p256"] as const) await untilComplete(() => getCurve(name));
});

type Reference = { evm: EVM; common: Common; precompiles: ReturnType<typeof getActivePrecompiles> };
const references = new Map<ForkName, Reference>();

async function getReference(fork: ForkName): Promise<Reference> {
  const known = references.get(fork);
  if (known) return known;
  const common = new Common({ chain: Mainnet, hardfork: fork === "frontier" ? Hardfork.Chainstart : fork });
  const reference = { common, evm: await createEVM({ common }), precompiles: getActivePrecompiles(common) };
  references.set(fork, reference);
  return reference;
}

const toKey = (address: number) => address.toString(16).padStart(40, "0");

/** Both implementations must use the same gas and return the same output. How they name failures may differ. */
async function compare(fork: ForkName, address: number, input: Uint8Array, gasLimit: bigint): Promise<void> {
  const { evm, common, precompiles } = await getReference(fork);
  const theirs = await precompiles.get(toKey(address))!({ data: input, gasLimit, common, _EVM: evm });
  const ours = getPrecompiles(fork).get(address)!(input, gasLimit);
  const comparable =
    "failure" in ours
      ? { gas: gasLimit, output: "0x", failed: true }
      : { gas: ours.gasUsed, output: toHex(ours.output), failed: false };
  expect(comparable, `${fork} 0x${address.toString(16)} ${toHex(input)} ${gasLimit}`).toEqual({
    gas: theirs.executionGasUsed,
    output: toHex(theirs.returnValue),
    failed: theirs.exceptionError !== undefined,
  });
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const big = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const toField = (value: bigint) => toBytes(`0x${value.toString(16).padStart(128, "0")}`);
const word = (value: bigint) => toBytes(toWord(value));
const scalar = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, bn254.fields.Fr.ORDER, bls12_381.fields.Fr.ORDER, 2n ** 256n - 1n),
  big(256),
  big(16),
);

/** Removes, adds or changes bytes in some of the inputs. */
const spoil = (input: fc.Arbitrary<Uint8Array>) =>
  fc.tuple(input, fc.nat(9), fc.nat(), bytes(1)).map(([whole, kind, at, [byte]]) => {
    if (kind === 0) return whole.slice(0, at % (whole.length + 1));
    if (kind === 1) return concat(whole, new Uint8Array(at % 70).fill(byte!));
    if (kind === 2 && whole.length > 0) return whole.map((each, index) => (index === at % whole.length ? byte! : each));
    return whole;
  });

const key = bytes(32).filter((each) => secp256k1.utils.isValidSecretKey(each) && p256.utils.isValidSecretKey(each));
const signed = fc.tuple(key, bytes(32), fc.boolean()).map(([secret, hash, isHigh]) => {
  const { r, s, recovery } = secp256k1.Signature.fromBytes(
    secp256k1.sign(hash, secret, { prehash: false, format: "recovered" }),
    "recovered",
  );
  const order = secp256k1.Point.Fn.ORDER;
  const v = 27n + BigInt(isHigh ? 1 - recovery! : recovery!);
  return concat(hash, word(v), word(r), word(isHigh ? order - s : s));
});
const signedP256 = fc.tuple(key, bytes(32), fc.boolean()).map(([secret, hash, isHigh]) => {
  const { r, s } = p256.Signature.fromBytes(p256.sign(hash, secret, { prehash: false }));
  const point = p256.getPublicKey(secret, false).subarray(1);
  return concat(hash, word(r), word(isHigh ? p256.Point.Fn.ORDER - s : s), point);
});

const modexp = fc
  .tuple(
    fc.array(fc.oneof(fc.nat(40), fc.constantFrom(0, 1, 8, 32, 33, 64, 65, 130, 1_024, 1_025)), {
      minLength: 3,
      maxLength: 3,
    }),
    fc.infiniteStream(fc.nat(255)),
    fc.constantFrom<(bigint | undefined)[]>(
      undefined,
      undefined,
      undefined,
      undefined,
      2n ** 31n,
      2n ** 64n,
      2n ** 256n - 1n,
    ),
    fc.nat(2),
    fc.boolean(),
  )
  .map(([lengths, stream, wild, which, hasZeroModulus]) => {
    const next = () => Number(stream.next().value);
    const [base, exponent, modulus] = lengths.map((length) => Uint8Array.from({ length: Math.min(length, 200) }, next));
    const named = lengths.map((length, index) => (wild !== undefined && index === which ? wild : BigInt(length)));
    return concat(...named.map(word), base!, exponent!, hasZeroModulus ? modulus!.fill(0, 0, 2) : modulus!);
  });

const bnG1 = fc.oneof(
  { weight: 6, arbitrary: big(250).map((k) => bn254.G1.Point.BASE.multiply(k + 1n).toAffine()) },
  { weight: 1, arbitrary: fc.constantFrom({ x: 0n, y: 0n }, { x: 1n, y: 1n }, { x: bn254.fields.Fp.ORDER, y: 0n }) },
);
const toBnG1 = ({ x, y }: { x: bigint; y: bigint }) => concat(word(x), word(y));
const toBnG2 = (point: typeof bn254.G2.Point.BASE) => {
  const { x, y } = point.toAffine();
  return concat(...[x.c1, x.c0, y.c1, y.c0].map(word));
};
/** A point on the curve that is almost never in the subgroup. */
function onCurveBnG2(from: bigint): Uint8Array {
  const { Fp, Fp2 } = bn254.fields;
  const constant = Fp2.div(Fp2.create({ c0: 3n, c1: 0n }), Fp2.create({ c0: 9n, c1: 1n }));
  for (let c0 = Fp.create(from); ; c0 = Fp.create(c0 + 1n)) {
    const x = { c0, c1: 1n };
    try {
      const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), constant));
      return concat(...[x.c1, x.c0, y.c1, y.c0].map(word));
    } catch {}
  }
}
/**
 * Inputs for the pairing check. In most of them, the product is one. One kind of input lacks its last pair, so its
 * product isn't one, and another kind has a point outside the subgroup.
 */
const bnPairs = fc.tuple(big(60), big(60), fc.nat(4)).map(([a, b, kind]) => {
  const { G1, G2 } = { G1: bn254.G1.Point, G2: bn254.G2.Point };
  const [m, n] = [a + 2n, b + 2n];
  const first = concat(toBnG1(G1.BASE.multiply(m)), toBnG2(G2.BASE.multiply(n)));
  const second = concat(
    toBnG1(
      G1.BASE.multiply(m * n)
        .negate()
        .toAffine(),
    ),
    toBnG2(G2.BASE),
  );
  const empty = new Uint8Array(192);
  const outside = concat(toBnG1(G1.BASE), onCurveBnG2(a));
  return [concat(first, second), first, new Uint8Array(0), concat(first, empty, second), outside][kind]!;
});

const blake = fc
  .tuple(fc.nat(24), bytes(208), fc.constantFrom(0, 1, 1, 0, 2))
  .map(([rounds, rest, final]) => concat(word(BigInt(rounds)).subarray(28), rest, Uint8Array.of(final)));

type Affine<T> = { x: T; y: T };
const { Fp, Fp2 } = bls12_381.fields;
const toG1 = ({ x, y }: Affine<bigint>) => concat(toField(x), toField(y));
const toG2 = ({ x, y }: Affine<{ c0: bigint; c1: bigint }>) => concat(...[x.c0, x.c1, y.c0, y.c1].map(toField));
/** A point on the curve that is almost never in the subgroup. */
function onCurveG1(from: bigint): Affine<bigint> {
  for (let x = Fp.create(from); ; x = Fp.create(x + 1n)) {
    try {
      return { x, y: Fp.sqrt(Fp.create(x ** 3n + 4n)) };
    } catch {}
  }
}
function onCurveG2(from: bigint): Affine<{ c0: bigint; c1: bigint }> {
  for (let c0 = Fp.create(from); ; c0 = Fp.create(c0 + 1n)) {
    const x = { c0, c1: 1n };
    try {
      return { x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create({ c0: 4n, c1: 4n }))) };
    } catch {}
  }
}
const g1 = fc.oneof(
  { weight: 6, arbitrary: big(250).map((k) => toG1(bls12_381.G1.Point.BASE.multiply(k + 1n).toAffine())) },
  { weight: 1, arbitrary: big(300).map((x) => toG1(onCurveG1(x))) },
  { weight: 1, arbitrary: fc.constantFrom(new Uint8Array(128), toG1({ x: Fp.ORDER, y: 0n }), toG1({ x: 1n, y: 1n })) },
);
const g2 = fc.oneof(
  { weight: 6, arbitrary: big(250).map((k) => toG2(bls12_381.G2.Point.BASE.multiply(k + 1n).toAffine())) },
  { weight: 1, arbitrary: big(300).map((x) => toG2(onCurveG2(x))) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(256)) },
);
const sumOf = (point: fc.Arbitrary<Uint8Array>) =>
  fc
    .array(fc.tuple(point, scalar), { maxLength: 4 })
    .map((pairs) => concat(...pairs.flatMap(([p, k]) => [p, word(k)])));
const blsPairs = fc.tuple(big(60), big(60), fc.nat(4), g1, g2).map(([a, b, kind, someG1, someG2]) => {
  const { G1, G2 } = { G1: bls12_381.G1.Point, G2: bls12_381.G2.Point };
  const [m, n] = [a + 2n, b + 2n];
  const first = concat(toG1(G1.BASE.multiply(m).toAffine()), toG2(G2.BASE.multiply(n).toAffine()));
  const second = concat(
    toG1(
      G1.BASE.multiply(m * n)
        .negate()
        .toAffine(),
    ),
    toG2(G2.BASE.toAffine()),
  );
  return [
    concat(first, second),
    first,
    new Uint8Array(0),
    concat(first, new Uint8Array(384), second),
    concat(someG1, someG2),
  ][kind]!;
});
const field = fc.oneof(big(381), fc.constantFrom(0n, 1n, Fp.ORDER - 1n, Fp.ORDER)).map(toField);

/** For each precompile: its name and address, the forks that add or change it, its inputs, and the number of runs. */
const cases: [name: string, address: number, forks: ForkName[], input: fc.Arbitrary<Uint8Array>, runs: number][] = [
  ["ecrecover", 0x01, ["frontier"], signed, 100],
  ["sha256", 0x02, ["frontier"], fc.uint8Array({ maxLength: 300 }), 50],
  ["ripemd160", 0x03, ["frontier"], fc.uint8Array({ maxLength: 300 }), 50],
  ["identity", 0x04, ["frontier"], fc.uint8Array({ maxLength: 300 }), 50],
  ["modexp", 0x05, ["byzantium", "istanbul", "berlin", "prague", "osaka"], modexp, 150],
  [
    "bn254 addition",
    0x06,
    ["byzantium", "istanbul"],
    fc.tuple(bnG1, bnG1).map(([a, b]) => concat(toBnG1(a), toBnG1(b))),
    60,
  ],
  [
    "bn254 multiplication",
    0x07,
    ["byzantium", "istanbul"],
    fc.tuple(bnG1, scalar).map(([a, k]) => concat(toBnG1(a), word(k))),
    40,
  ],
  ["bn254 pairing", 0x08, ["byzantium", "istanbul"], bnPairs, 15],
  ["blake2f", 0x09, ["istanbul"], blake, 150],
  ["bls12-381 g1 addition", 0x0b, ["prague"], fc.tuple(g1, g1).map((pair) => concat(...pair)), 60],
  ["bls12-381 g1 sum", 0x0c, ["prague"], sumOf(g1), 25],
  ["bls12-381 g2 addition", 0x0d, ["prague"], fc.tuple(g2, g2).map((pair) => concat(...pair)), 40],
  ["bls12-381 g2 sum", 0x0e, ["prague"], sumOf(g2), 15],
  ["bls12-381 pairing", 0x0f, ["prague"], blsPairs, 15],
  ["bls12-381 field to g1", 0x10, ["prague"], field, 25],
  ["bls12-381 field to g2", 0x11, ["prague"], fc.tuple(field, field).map((pair) => concat(...pair)), 15],
  ["p256", 0x100, ["osaka"], signedP256, 40],
];

describe("the precompiles match the reference", () => {
  test.each(cases)("%s", async (_name, address, forks, input, numRuns) => {
    const gas = fc.oneof({ weight: 4, arbitrary: fc.constant(10n ** 9n) }, { weight: 1, arbitrary: fc.constant(0n) });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...forks), spoil(input), gas, async (fork, data, gasLimit) => {
        await compare(fork, address, data, gasLimit);
        const ours = getPrecompiles(fork).get(address)!(data, 10n ** 9n);
        if ("failure" in ours) return;
        // The price is the lowest gas that suffices.
        await compare(fork, address, data, ours.gasUsed);
        if (ours.gasUsed > 0n) await compare(fork, address, data, ours.gasUsed - 1n);
      }),
      { numRuns, seed: 1 },
    );
  });

  test("each fork has the same contracts as the reference", async () => {
    for (const fork of forkNames.slice(0, forkNames.indexOf("osaka") + 1)) {
      const theirs = [...(await getReference(fork)).precompiles.keys()].sort();
      expect([...getPrecompiles(fork).keys()].map(toKey).sort(), fork).toEqual(theirs);
    }
    expect(getPrecompiles("bpo2")).toEqual(getPrecompiles("osaka"));
  });

  test("P-256 handles a zero hash, and sums of a point with itself or with its negative", async () => {
    const { BASE, Fn } = p256.Point;
    const secret = 7n ** 80n;
    const nonce = 11n ** 70n;
    const r = Fn.create(BASE.multiply(nonce).toAffine().x);
    const publicKey = p256.getPublicKey(word(secret), false).subarray(1);
    const product = Fn.mul(secret, r);
    const results = [];
    for (const hash of [0n, Fn.ORDER, product, Fn.neg(product)]) {
      const s = Fn.div(Fn.add(hash % Fn.ORDER, product), nonce);
      const input = concat(word(hash), word(r), word(s || 1n), publicKey);
      await compare("osaka", 0x100, input, 10n ** 9n);
      const result = getPrecompiles("osaka").get(0x100)!(input, 10n ** 9n);
      results.push("output" in result && result.output.length);
    }
    expect(results).toEqual([32, 32, 32, 0]);
  });

  test("bn254 pairing rejects points of G2 with a component of small order", async () => {
    const { Fp, Fp2 } = bn254.fields;
    const { BASE, Fn, ZERO } = bn254.G2.Point;
    const cofactor = 2n * Fp.ORDER - Fn.ORDER;
    const [c1, c0, y1, y0] = [0, 32, 64, 96].map((at) => toBigInt(onCurveBnG2(5n).subarray(at, at + 32)));
    const point = bn254.G2.Point.fromAffine({
      x: Fp2.create({ c0: c0!, c1: c1! }),
      y: Fp2.create({ c0: y0!, c1: y1! }),
    });
    const multiply = (factor: bigint) =>
      [...factor.toString(2)].reduce((sum, bit) => (bit === "1" ? sum.double().add(point) : sum.double()), ZERO);
    for (const order of [10_069n, 5_864_401n]) {
      const small = multiply((Fn.ORDER * cofactor) / order);
      for (const outside of [small, small.add(BASE)]) {
        const input = concat(toBnG1(bn254.G1.Point.BASE), toBnG2(outside));
        await compare("istanbul", 0x08, input, 10n ** 9n);
        expect(getPrecompiles("istanbul").get(0x08)!(input, 10n ** 9n)).toHaveProperty("failure");
      }
    }
  });

  test("multi-scalar multiplications of many points return the same as the reference", async () => {
    const { G1, G2 } = { G1: bls12_381.G1.Point, G2: bls12_381.G2.Point };
    const pairs = Array.from({ length: 300 }, (_, index) => index);
    const ends = [0n, G1.Fn.ORDER - 1n];
    const factor = (index: number) => word(ends[index % 7] ?? 2n ** 256n - BigInt(index) ** 19n);
    const inG1 = (index: number) => (index % 11 === 0 ? new Uint8Array(128) : toG1(G1.BASE.multiply(BigInt(index))));
    const inG2 = (index: number) => (index % 11 === 0 ? new Uint8Array(256) : toG2(G2.BASE.multiply(BigInt(index))));
    for (const count of [32, 300]) {
      const input = concat(...pairs.slice(0, count).flatMap((i) => [inG1(i), factor(i)]));
      await compare("prague", 0x0c, input, 10n ** 9n);
    }
    for (const count of [16, 150]) {
      const input = concat(...pairs.slice(0, count).flatMap((i) => [inG2(i), factor(i)]));
      await compare("prague", 0x0e, input, 10n ** 9n);
    }
  });

  test("multi-scalar multiplications of equal and opposite points return the same as the reference", async () => {
    const [G1, G2] = [bls12_381.G1.Point.BASE.multiply(3n), bls12_381.G2.Point.BASE.multiply(3n)];
    const factor = word(2n ** 254n + 12_345n);
    const isOpposite = [() => false, (index: number) => index % 2 === 0, (index: number) => index % 5 === 0];
    for (const negate of isOpposite) {
      const inG1 = (_: unknown, index: number) => concat(toG1(negate(index) ? G1.negate() : G1), factor);
      const inG2 = (_: unknown, index: number) => concat(toG2(negate(index) ? G2.negate() : G2), factor);
      await compare("prague", 0x0c, concat(...Array.from({ length: 40 }, inG1)), 10n ** 9n);
      await compare("prague", 0x0e, concat(...Array.from({ length: 20 }, inG2)), 10n ** 9n);
    }
  });

  test("prices multi-scalar multiplications of many points by the reference's table", async () => {
    for (const [address, pairBytes] of [
      [0x0c, 160],
      [0x0e, 288],
    ] as const) {
      for (let pairs = 1; pairs <= 130; pairs++) {
        const input = new Uint8Array(pairs * pairBytes);
        await compare("prague", address, input, 10n ** 9n);
      }
    }
  });
});

describe("EIP examples", () => {
  const run = (fork: ForkName, address: number, input: string, gas = 10n ** 9n) => {
    const result = getPrecompiles(fork).get(address)!(toBytes(input), gas);
    return "failure" in result ? result.failure : { gas: result.gasUsed, output: toHex(result.output) };
  };

  test("twelve rounds of EIP-152's example return BLAKE2b of abc", () => {
    const input =
      "0x0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fb" +
      `abd9831f79217e1319cde05b616263${"00".repeat(125)}03${"00".repeat(15)}01`;
    expect(run("istanbul", 9, input)).toEqual({
      gas: 12n,
      output: toHex(blake2b(Buffer.from("abc"))),
    });
  });

  test("modexp computes EIP-198's examples: Fermat's little theorem and an empty input", () => {
    const p = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    const fermat = `0x${toWord(1n).slice(2)}${toWord(32n).slice(2)}${toWord(32n).slice(2)}03${p.slice(0, -1)}e${p}`;
    expect(run("byzantium", 5, fermat)).toEqual({ gas: 13_056n, output: toWord(1n) });
    expect(run("byzantium", 5, "0x")).toEqual({ gas: 0n, output: "0x" });
    expect(run("osaka", 5, `0x${toWord(1_025n).slice(2)}`)).toBe("modexp operand longer than 1024 bytes");
  });

  test("charges for an exponent that is mostly beyond the end of the input, without computing it", () => {
    const input = `0x${toWord(1n).slice(2)}${toWord(2n ** 40n).slice(2)}${toWord(1n).slice(2)}03ff`;
    const result = getPrecompiles("berlin").get(5)!(toBytes(input), 2n ** 62n);
    expect(result).toMatchObject({ output: new Uint8Array(1) });
  });

  test("a point evaluation succeeds for a constant polynomial and fails for anything else", () => {
    const generator = bls12_381.G1.Point.BASE.multiply(7n).toBytes();
    const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
    const toInput = (y: bigint) => concat(toBytes(toVersionedHash(generator)), word(3n), word(y), generator, infinity);
    expect(run("cancun", 0x0a, toHex(toInput(7n)))).toEqual({
      gas: 50_000n,
      output: `${toWord(4_096n)}${bls12_381.fields.Fr.ORDER.toString(16)}`,
    });
    expect(run("cancun", 0x0a, toHex(toInput(8n)))).toBe("point evaluation: invalid proof");
    expect(run("cancun", 0x0a, toHex(toInput(2n ** 255n)))).toMatch("not a field element");
    expect(run("cancun", 0x0a, toHex(toInput(7n).subarray(1)))).toMatch("not 192 bytes");
    expect(run("cancun", 0x0a, toHex(toInput(7n)), 49_999n)).toBe("out of gas");
    expect(run("cancun", 0x0a, toHex(toInput(7n).fill(0, 0, 1)))).toMatch("does not match its versioned hash");
  });

  test("reads an input at its offset in a larger buffer", () => {
    const buffer = Uint8Array.from({ length: 400 }, (_, index) => index % 251);
    for (const [address, precompile] of getPrecompiles("osaka")) {
      const part = buffer.subarray(50, 350);
      expect(precompile(part, 10n ** 9n), String(address)).toEqual(precompile(part.slice(), 10n ** 9n));
    }
  });
});
