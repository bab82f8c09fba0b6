/**
 * What a precompiled contract is to the engine: a function of its input and the gas it is given. Invariant: it never
 * throws and never waits; every way to fail takes all the gas of the call and returns nothing.
 */

/**
 * gasUsed is at most the gas limit. A failure is "out of gas" where the price is more than that, and otherwise says in
 * a few words what is wrong with the input.
 */
export type PrecompileResult = { gasUsed: bigint; output: Uint8Array } | { failure: string };

/** Takes units of the run's budget (evm/budget.ts). Throws where the run has to end. */
type Spend = (units: number) => void;

/**
 * The input is only read and may be longer or shorter than what the contract asks for. What its work will take is spent
 * before it is done.
 */
export type Precompile = (input: Uint8Array, gasLimit: bigint, spend?: Spend) => PrecompileResult;

/** See priced(): arithmetic on curves in JavaScript takes much more than its gas. */
export const curveWeight = 30;

export const outOfGas: PrecompileResult = { failure: "out of gas" };
export const noBytes = new Uint8Array(0);

/**
 * A contract with a price that its input's length alone decides; work answers a text where the input is refused.
 * weight is what the work takes for each gas, where the machine's opcodes take one.
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

/** So many bytes from the offset, with zeros where the input has ended. */
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

/** Big-endian bytes of a value that fits. */
export function toFixedBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  Buffer.from(bytes.buffer).write(value.toString(16).padStart(2 * length, "0"), "hex");
  return bytes;
}
