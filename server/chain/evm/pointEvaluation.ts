/**
 * The point evaluation precompile at 0x0a (EIP-4844). It answers two constants where the proof holds and fails,
 * taking all its gas, where anything about the input is wrong.
 */
import { EVMError, type ExecResult, type PrecompileInput } from "@ethereumjs/evm";
import { concat, toBytes, toHex, toWord } from "@/server/chain/codec/bytes";
import { toVersionedHash } from "@/server/chain/evm/kzg";
import { blsModulus, isOpeningValid } from "@/server/chain/evm/openingProof";

const gas = 50_000n;
const inputBytes = 192;
const fieldElementsPerBlob = 4_096n;
const success = concat(toBytes(toWord(fieldElementsPerBlob)), toBytes(toWord(blsModulus)));

export function pointEvaluation({ data, gasLimit }: PrecompileInput): ExecResult {
  if (gasLimit < gas) return fail(EVMError.errorMessages.OUT_OF_GAS, gasLimit);
  if (data.length !== inputBytes) return fail(EVMError.errorMessages.INVALID_INPUT_LENGTH, gasLimit);
  const commitment = data.subarray(96, 144);
  if (toVersionedHash(commitment) !== toHex(data.subarray(0, 32))) {
    return fail(EVMError.errorMessages.INVALID_COMMITMENT, gasLimit);
  }
  const isValid = isOpeningValid(commitment, data.subarray(32, 64), data.subarray(64, 96), data.subarray(144, 192));
  if (isValid === undefined) return fail(EVMError.errorMessages.INVALID_INPUTS, gasLimit);
  if (!isValid) return fail(EVMError.errorMessages.INVALID_PROOF, gasLimit);
  return { executionGasUsed: gas, returnValue: success };
}

function fail(error: EVMError["error"], gasLimit: bigint): ExecResult {
  return { executionGasUsed: gasLimit, returnValue: new Uint8Array(0), exceptionError: new EVMError(error) };
}
