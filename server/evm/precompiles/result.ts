/**
 * A precompiled contract, as a function of its input and gas limit. If it fails, it uses up all of the call's gas and
 * returns nothing. It throws PendingRead while its library is loading.
 */

/** `gasUsed` is at most the gas limit. `failure` is "out of gas", or says what is wrong with the input. */
export type PrecompileResult = { gasUsed: bigint; output: Uint8Array } | { failure: string };

/** Deducts units from the run's budget (evm/budget.ts). Throws if the run has to end. */
type Spend = (units: number) => void;

/**
 * The input may have any length, and an implementation must not change it. Before an implementation starts its work, it
 * deducts the units for that work.
 */
export type Precompile = (input: Uint8Array, gasLimit: bigint, spend?: Spend) => PrecompileResult;

/**
 * The weight of curve arithmetic; see `priced()`. Such work takes longer than its gas suggests, so it runs in workers.
 */
export const curveWeight = 30;

export const outOfGas: PrecompileResult = { failure: "out of gas" };
export const noBytes = new Uint8Array(0);

/**
 * A contract whose price depends only on the length of its input. `work` returns a string to reject the input. `weight`
 * is the time that this work takes per gas, relative to ordinary opcodes.
 */
export function priced(
  price: (inputBytes: number) => bigint,
  work: (input: Uint8Array) => Uint8Array | string,
  weight = 1,
): Precompile {
  return (input, gasLimit, spend) => {
    const gasUsed = price(input.length);
    if (gasUsed > gasLimit) return outOfGas;
    spend?.(Number(gasUsed) * weight);
    const output = work(input);
    return typeof output === "string" ? { failure: output } : { gasUsed, output };
  };
}

/** Returns `length` bytes from the offset, padded with zeros beyond the end of the input. */
export function slicePadded(input: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length <= input.length) return input.subarray(offset, offset + length);
  const padded = new Uint8Array(length);
  if (offset < input.length) padded.set(input.subarray(offset));
  return padded;
}

export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

/** Encodes the value as big-endian bytes. It must fit into `length` bytes. */
export function toFixedBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  Buffer.from(bytes.buffer).write(value.toString(16).padStart(2 * length, "0"), "hex");
  return bytes;
}
