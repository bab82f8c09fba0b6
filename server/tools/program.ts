/** Functions that the programs behind the subcommands share: they read options, report errors and show progress. */
import { parseArgs } from "node:util";
import { findErrorCode } from "@/server/ethereum/errors";
import { type Subcommand, toSubcommandHelp } from "@/server/node/subcommands";

/**
 * Codes of errors that are caused by an input file, the data folder or its chain. All other errors are bugs and are
 * shown with their stack.
 */
const refusals = new Set<unknown>([
  "DAMAGED_FILE",
  "INVALID_BLOCK",
  "MALFORMED_TRANSACTION",
  "STORE_FORMAT",
  "STORE_IDENTITY",
  "STORE_LOCKED",
  "STORE_UNAVAILABLE",
]);
const progressMs = 1_000;

export function fail(sentence: string): never {
  return end(sentence, 1);
}

/** Ends the program because its input is wrong, before anything is written. */
export function refuse(sentence: string): never {
  return end(sentence, 2);
}

function end(sentence: string, code: number): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

/** Reads the options' values, using defaults for missing ones. `--help` or an invalid option ends the program. */
export function readOptions(subcommand: Subcommand): Record<string, string> {
  const { words, options } = subcommand;
  const types = options.map(({ option }) => [option, { type: "string" as const }]);
  const { tokens } = parseArgs({
    tokens: true,
    strict: false,
    options: { ...Object.fromEntries(types), help: { type: "boolean", short: "h" } },
  });
  const values = Object.fromEntries(options.map(({ option, fallback = "" }) => [option, fallback]));
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "option" && token.name === "help") {
      process.stdout.write(toSubcommandHelp(subcommand));
      process.exit(0);
    }
    const text = token.kind === "positional" ? token.value : token.rawName;
    const option = token.kind === "option" && options.find((each) => each.option === token.name);
    if (!option) return refuse(`"${text}" is not an option of tollscan ${words}; --help lists them.`);
    if (token.value === undefined || token.value === "" || (!token.inlineValue && token.value.startsWith("-"))) {
      return refuse(`${text} needs a value.`);
    }
    values[option.option] = token.value;
  }
  const missing = options.find(({ option, example }) => example !== undefined && values[option] === "");
  if (missing) refuse(`tollscan ${words} needs --${missing.option}, as in --${missing.option} ${missing.example}.`);
  return values;
}

/** Prints a line at most once a second, to show that a long-running program is making progress. */
export function createProgress(): (text: string) => void {
  let lastMs = performance.now();
  return (text) => {
    if (performance.now() - lastMs < progressMs) return;
    lastMs = performance.now();
    process.stdout.write(`${text} …\n`);
  };
}

export async function runProgram(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const code = findErrorCode(error);
    if (code === "CONFIG") refuse((error as Error).message);
    if (!refusals.has(code)) throw error;
    fail((error as Error).message);
  }
}
