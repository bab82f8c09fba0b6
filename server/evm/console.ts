/**
 * The address that `console.log` of Hardhat and Foundry calls from a contract. It has no code, so its calls do nothing;
 * a run can record their inputs. Recording changes neither results nor gas.
 */
import type { Address } from "@/server/ethereum/types";

export const consoleAddress: Address = "0x000000000000000000636f6e736f6c652e6c6f67";
/** Stands for the console in an account record, beside the numbers of the precompiles. */
export const consoleId = 0x1000;

/** One more call than is shown, so that readers can tell that calls were omitted. */
export const maxConsoleCalls = 101;
export const maxConsoleBytes = 8_192;
