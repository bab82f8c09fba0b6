/** Describes why a run failed, in the wording that clients expect from geth and execution-apis. */
import { failures } from "@/server/evm/layout";

/** Why a call or transaction failed, in the wording of execution-apis: "execution reverted", "out of gas", … */
export type Failure = { kind: "revert" | "outOfGas" | "halt"; message: string };

const words: Partial<Record<number, string>> = {
  [failures.outOfGas]: "out of gas",
  [failures.depositOutOfGas]: "contract creation code storage out of gas",
  [failures.codeTooLarge]: "max code size exceeded",
  [failures.stackUnderflow]: "stack underflow",
  [failures.stackOverflow]: "stack limit reached 1024 (1023)",
  [failures.revert]: "execution reverted",
  [failures.writeProtection]: "write protection",
  [failures.collision]: "contract address collision",
  [failures.insufficientBalance]: "insufficient balance for transfer",
  [failures.invalidCode]: "invalid code: must not begin with 0xef",
  [failures.initCodeTooLarge]: "max initcode size exceeded",
  [failures.invalidJump]: "invalid jump destination",
  [failures.returnOutOfBounds]: "return data out of bounds",
  [failures.precompile]: "invalid input for a precompiled contract",
  [failures.tooDeep]: "max call depth exceeded",
  [failures.nonceOverflow]: "nonce uint64 overflow",
};

/** Describes the failure with this number in the machine. Undefined if the run succeeded. */
export function toFailure(failure: number, faultOp: number): Failure | undefined {
  if (failure === 0) return undefined;
  if (failure === failures.revert) return { kind: "revert", message: "execution reverted" };
  if (failure === failures.invalidOpcode) return { kind: "halt", message: `invalid opcode: ${toOpcodeName(faultOp)}` };
  const isGas = failure === failures.outOfGas || failure === failures.depositOutOfGas;
  return { kind: isGas ? "outOfGas" : "halt", message: words[failure] ?? "execution failed" };
}

function toOpcodeName(code: number): string {
  return code === 0xfe ? "INVALID" : `opcode 0x${code.toString(16)} not defined`;
}
