/**
 * The address that Hardhat's and Foundry's `console.log` calls. The address has no code, so these calls do nothing. A
 * run can record their inputs, which changes neither results nor gas.
 */
import type { Address } from "@/server/ethereum/types";

export const consoleAddress: Address = "0x000000000000000000636f6e736f6c652e6c6f67";
/** The console's ID in account records, next to the precompiles' numbers. */
export const consoleId = 0x1000;

/** One more than the number of calls that are shown, so that readers can tell whether calls were omitted. */
export const maxConsoleCalls = 101;
export const maxConsoleBytes = 8_192;
