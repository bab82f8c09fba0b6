/**
 * The point evaluation precompile as the engine's library takes one, with errors of its kind.
 */
import { EVMError, type ExecResult, type PrecompileInput } from "@ethereumjs/evm";
import { pointEvaluation as evaluate } from "@/server/chain/evm/precompiles/pointEvaluation";

export function pointEvaluation({ data, gasLimit }: PrecompileInput): ExecResult {
  const result = evaluate(data, gasLimit);
  if (!("failure" in result)) return { executionGasUsed: result.gasUsed, returnValue: result.output };
  const { OUT_OF_GAS, INVALID_INPUTS } = EVMError.errorMessages;
  const error = new EVMError(result.failure === "out of gas" ? OUT_OF_GAS : INVALID_INPUTS);
  return { executionGasUsed: gasLimit, returnValue: new Uint8Array(0), exceptionError: error };
}
