/**
 * Why a run failed, in the words that clients know from geth and execution-apis.
 */
import { EVMError, type ExecResult } from "@ethereumjs/evm";
import type { Failure } from "@/server/chain/evm/executor";

const words: Partial<Record<string, string>> = {
  [EVMError.errorMessages.OUT_OF_GAS]: "out of gas",
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS]: "contract creation code storage out of gas",
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: "max code size exceeded",
  [EVMError.errorMessages.STACK_UNDERFLOW]: "stack underflow",
  [EVMError.errorMessages.STACK_OVERFLOW]: "stack limit reached 1024 (1023)",
  [EVMError.errorMessages.OUT_OF_RANGE]: "gas uint64 overflow",
  [EVMError.errorMessages.REVERT]: "execution reverted",
  [EVMError.errorMessages.STATIC_STATE_CHANGE]: "write protection",
  [EVMError.errorMessages.CREATE_COLLISION]: "contract address collision",
  [EVMError.errorMessages.INSUFFICIENT_BALANCE]: "insufficient balance for transfer",
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT]: "invalid code: must not begin with 0xef",
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION]: "max initcode size exceeded",
};

/** The failure of a run; undefined where it succeeded. */
export function toFailure(result: Pick<ExecResult, "exceptionError" | "runState">): Failure | undefined {
  const error = result.exceptionError?.error;
  if (error === undefined) return undefined;
  // The engine calls it a revert too where a precompile refuses its input; only code that ran can revert.
  if (error === EVMError.errorMessages.REVERT && result.runState === undefined) {
    return { kind: "halt", message: "invalid input for a precompiled contract" };
  }
  if (error === EVMError.errorMessages.REVERT) return { kind: "revert", message: "execution reverted" };
  if (error === EVMError.errorMessages.INVALID_OPCODE) {
    return { kind: "halt", message: `invalid opcode: ${toOpcodeName(result.runState?.opCode ?? 0xfe)}` };
  }
  // The engine says where the jump was.
  if (error.startsWith(EVMError.errorMessages.INVALID_JUMP)) {
    return { kind: "halt", message: "invalid jump destination" };
  }
  const isGas = error === EVMError.errorMessages.OUT_OF_GAS || error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS;
  return { kind: isGas ? "outOfGas" : "halt", message: words[error] ?? error };
}

function toOpcodeName(code: number): string {
  return code === 0xfe ? "INVALID" : `opcode 0x${code.toString(16)} not defined`;
}
