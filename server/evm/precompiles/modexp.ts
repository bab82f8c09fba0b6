/**
 * Modular exponentiation at 0x05: defined by EIP-198, repriced by EIP-2565, then limited by EIP-7823 and repriced by
 * EIP-7883. The price is charged before any memory is allocated or anything is computed.
 */
import { toBigInt } from "@/server/ethereum/codec/bytes";
import { noBytes, outOfGas, type Precompile, slicePadded, toFixedBytes } from "@/server/evm/precompiles/result";

/** EIP-7823 */
const maxLength = 1_024n;
const headerBytes = 96;

type Lengths = { base: bigint; exponent: bigint; modulus: bigint };
type Price = (lengths: Lengths, exponentHead: bigint) => bigint;

const larger = (one: bigint, other: bigint) => (one > other ? one : other);
const toWords = ({ base, modulus }: Lengths) => (larger(base, modulus) + 7n) / 8n;

/**
 * The iteration count that the EIPs define. Every byte of the exponent after the first 32 counts in full, even if it's
 * zero.
 */
function countIterations(exponentBytes: bigint, head: bigint, perByte: bigint): bigint {
  const headBits = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  const rest = exponentBytes > 32n ? perByte * (exponentBytes - 32n) : 0n;
  return larger(rest + headBits, 1n);
}

const byzantiumPrice: Price = (lengths, head) => {
  const length = larger(lengths.base, lengths.modulus);
  const square = length * length;
  const complexity =
    length <= 64n
      ? square
      : length <= 1_024n
        ? square / 4n + 96n * length - 3_072n
        : square / 16n + 480n * length - 199_680n;
  return (complexity * countIterations(lengths.exponent, head, 8n)) / 20n;
};

const berlinPrice: Price = (lengths, head) => {
  const words = toWords(lengths);
  return larger((words * words * countIterations(lengths.exponent, head, 8n)) / 3n, 200n);
};

const osakaPrice: Price = (lengths, head) => {
  const words = toWords(lengths);
  const complexity = larger(lengths.base, lengths.modulus) <= 32n ? 16n : 2n * words * words;
  return larger(complexity * countIterations(lengths.exponent, head, 16n), 500n);
};

/** How many budget units one gas costs for small numbers. Larger numbers take less time per gas. */
const weight = 2;

function createModexp(price: Price, isBounded: boolean): Precompile {
  return (input, gasLimit, spend) => {
    const lengths = {
      base: toBigInt(slicePadded(input, 0, 32)),
      exponent: toBigInt(slicePadded(input, 32, 32)),
      modulus: toBigInt(slicePadded(input, 64, 32)),
    };
    if (isBounded && larger(larger(lengths.base, lengths.modulus), lengths.exponent) > maxLength) {
      return { failure: "modexp operand longer than 1024 bytes" };
    }
    const headBytes = lengths.exponent < 32n ? Number(lengths.exponent) : 32;
    // If the exponent lies beyond the end of the input, it is zero.
    const head =
      lengths.base < BigInt(input.length) ? slicePadded(input, headerBytes + Number(lengths.base), headBytes) : noBytes;
    const gasUsed = price(lengths, toBigInt(head));
    if (gasUsed > gasLimit) return outOfGas;
    spend?.(weight * Number(gasUsed));
    if (lengths.modulus === 0n) return { gasUsed, output: noBytes };
    // The price limits how long the base and the modulus can be. The exponent can be longer, but it's only read in full
    // if all of it lies within the input.
    const modulusBytes = Number(lengths.modulus);
    const baseBytes = Number(lengths.base);
    const modulusAt = BigInt(headerBytes) + lengths.base + lengths.exponent;
    if (modulusAt >= BigInt(input.length)) return { gasUsed, output: new Uint8Array(modulusBytes) };
    const modulus = toBigInt(slicePadded(input, Number(modulusAt), modulusBytes));
    if (modulus === 0n) return { gasUsed, output: new Uint8Array(modulusBytes) };
    const base = toBigInt(slicePadded(input, headerBytes, baseBytes));
    const exponent = input.subarray(headerBytes + baseBytes, Number(modulusAt));
    return { gasUsed, output: toFixedBytes(power(base, exponent, modulus), modulusBytes) };
  };
}

/**
 * Reads the exponent from left to right, four bits at a time, so that there's only one multiplication for every four
 * squarings.
 */
function power(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const powers = [1n % modulus, base % modulus];
  for (let index = 2; index < 16; index++) powers.push((powers[index - 1]! * powers[1]!) % modulus);
  let result = powers[0]!;
  let hasBegun = false;
  for (const byte of exponent) {
    for (const digit of [byte >>> 4, byte & 15]) {
      if (hasBegun) {
        for (let bit = 0; bit < 4; bit++) result = (result * result) % modulus;
      }
      if (digit === 0) continue;
      result = hasBegun ? (result * powers[digit]!) % modulus : powers[digit]!;
      hasBegun = true;
    }
  }
  return result;
}

export const byzantiumModexp = createModexp(byzantiumPrice, false);
export const berlinModexp = createModexp(berlinPrice, false);
export const osakaModexp = createModexp(osakaPrice, true);
