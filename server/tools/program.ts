/** How the programs in this folder read their options and report errors. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { findErrorCode } from "@/server/ethereum/errors";

/** Errors in the configuration, the files, the folder or its chain. Any other error is a bug and shows its stack. */
const refusals = new Set<unknown>([
  "CONFIG",
  "DAMAGED_FILE",
  "INVALID_BLOCK",
  "MALFORMED_TRANSACTION",
  "STORE_FORMAT",
  "STORE_IDENTITY",
  "STORE_LOCKED",
  "STORE_UNAVAILABLE",
]);

export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The options on the command line; an unknown one ends the program. */
export function readOptions<const T extends ParseArgsOptionsConfig>(options: T, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : "The options cannot be read."}\n${usage}`);
  }
}

export async function runProgram(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!refusals.has(findErrorCode(error))) throw error;
    fail((error as Error).message);
  }
}
