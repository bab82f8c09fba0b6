/**
 * The address that Hardhat's and Foundry's `console.log` calls. The address has no code, so these calls do nothing. A
 * run can record their inputs, which changes neither results nor gas.
 */
import type { Address } from "@/server/ethereum/types";

export const consoleAddress: Address = "0x000000000000000000636f6e736f6c652e6c6f67";
/** The value of an account record's `precompile` field that marks the console. */
export const consoleId = 0x1000;

/** The maximum number of calls to record: one more than are shown, to detect that calls were omitted. */
export const maxConsoleCalls = 101;
export const maxConsoleBytes = 8_192;
