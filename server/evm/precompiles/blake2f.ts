/** The precompile at 0x09 (EIP-152): BLAKE2b's compression function F. A round costs one gas. */
import { getBlake2f, layout } from "@/server/evm/precompiles/blake2fModule";
import { outOfGas, type Precompile } from "@/server/evm/precompiles/result";

const inputBytes = 213;
const stateBytes = 64;
/**
 * Input: 4 bytes with the number of rounds, then state, message and counter in the module's layout, then the final
 * flag.
 */
const stateAt = 4;
const flagAt = inputBytes - 1;

export const blake2f: Precompile = (input, gasLimit, spend) => {
  if (input.length !== inputBytes) return { failure: "blake2f: input is not 213 bytes" };
  const isFinal = input[flagAt]!;
  if (isFinal > 1) return { failure: "blake2f: the final flag is neither 0 nor 1" };
  const rounds = new DataView(input.buffer, input.byteOffset).getUint32(0);
  const gasUsed = BigInt(rounds);
  if (gasUsed > gasLimit) return outOfGas;
  spend?.(rounds);
  const { memory, compress } = getBlake2f();
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(input.subarray(stateAt, flagAt), layout.state);
  bytes.fill(isFinal === 1 ? 0xff : 0, layout.mask, layout.mask + 8);
  compress(rounds);
  return { gasUsed, output: bytes.slice(layout.state, layout.state + stateBytes) };
};
