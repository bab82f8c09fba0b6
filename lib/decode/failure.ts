/**
 * Turns revert data into the contract's error message. Decodes only standard forms: Error(string), Panic(uint256) and
 * the ERC-6093 token errors. For other data, returns only the selector.
 */
import { findAddress, findShownString, findUint, findWord } from "@/lib/decode/words";

/** Panic(uint256) codes: Solidity documentation, "Panic via assert and error via require". */
const panicCauses: Record<string, string> = {
  "1": "assertion failed",
  "17": "arithmetic overflow or underflow",
  "18": "division by zero",
  "33": "invalid enum value",
  "34": "invalid storage byte array encoding",
  "49": "pop on an empty array",
  "50": "array index out of bounds",
  "65": "too much memory allocated",
  "81": "uninitialized function pointer",
};

export type Failure =
  | { kind: "text"; text: string }
  | { kind: "panic"; code: number; text: string }
  | { kind: "insufficientBalance"; account: `0x${string}`; balance: bigint; needed: bigint }
  | { kind: "insufficientAllowance"; spender: `0x${string}`; allowance: bigint; needed: bigint }
  | { kind: "custom"; selector: string }
  /** There is no revert data, so the contract gave no reason. */
  | { kind: "empty" };

export function toFailure(revertData: string | undefined): Failure {
  if (revertData === undefined || revertData.length < 10) return { kind: "empty" };
  const selector = revertData.slice(0, 10).toLowerCase();
  const payload = revertData.slice(10).toLowerCase();
  const custom: Failure = { kind: "custom", selector };
  switch (selector) {
    case "0x08c379a0": {
      const text = findShownString(payload, 0, 1_000);
      return text === undefined ? custom : { kind: "text", text };
    }
    case "0x4e487b71": {
      const code = findUint(findWord(payload, 0));
      if (code === undefined) return custom;
      return { kind: "panic", code: Number(code), text: panicCauses[code.toString()] ?? `panic code ${code}` };
    }
    case "0xe450d38c":
    case "0xfb8f41b2": {
      const account = findAddress(findWord(payload, 0));
      const has = findUint(findWord(payload, 1));
      const needed = findUint(findWord(payload, 2));
      if (account === undefined || has === undefined || needed === undefined) return custom;
      return selector === "0xe450d38c"
        ? { kind: "insufficientBalance", account, balance: has, needed }
        : { kind: "insufficientAllowance", spender: account, allowance: has, needed };
    }
    default:
      return custom;
  }
}
