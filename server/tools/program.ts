/** How the programs of this folder read their options, and how they end if something is refused: with one sentence. */
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { findErrorCode } from "@/server/ethereum/errors";

/** Faults of the configuration, the files, the folder or the chain in them. Any other error is a bug: show its stack. */
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
