/**
 * The `tollscan` command, which bin/tollscan.mjs loads: turns options into environment variables and starts the server
 * in this process. If no data folder is given, the data is deleted when the process ends.
 */
import { readFileSync } from "node:fs";
import {
  type CommandLine,
  listFlags,
  nameOptions,
  quietConsole,
  readCommandLine,
  toHelp,
} from "@/server/config/commandLine.mjs";
import { ConfigError } from "@/server/config/environment.mjs";
import { toCompletion } from "@/server/node/completion";
import { findSubcommand, type Subcommand, subcommands } from "@/server/node/subcommands";
import { createTemporaryFolder } from "@/server/node/temporaryFolder";

/** Ends the process with an error, because an option or setting is wrong. */
function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message);
    throw error;
  }
}

async function start(line: CommandLine): Promise<void> {
  Object.assign(process.env, line.settings);
  const isKept = process.env.TOLLSCAN_DATA !== undefined || process.env.DATABASE_URL !== undefined;
  if (!isKept) process.env.TOLLSCAN_DATA = createTemporaryFolder().path;
  const { loadConfig } = await import("@/server/config/config");
  try {
    loadConfig(process.env, process.cwd());
  } catch (error) {
    if (error instanceof ConfigError) refuse(nameOptions(error.message, line));
    throw error;
  }
  quietConsole(line);
  process.argv.splice(2, Infinity, "--command", ...listFlags(line), ...(isKept ? [] : ["--temporary"]));
  await import("@/server/node/main");
}

/** Runs a program from server/tools, which is bundled into the same folder as this file. */
async function run({ words, file }: Subcommand): Promise<void> {
  process.argv.splice(2, words.split(" ").length);
  await import(new URL(`./${file}.mjs`, import.meta.url).href);
}

async function runCommand(): Promise<void> {
  const line = orRefuse(() => readCommandLine(process.argv.slice(2)));
  if (line.flags.has("help")) process.stdout.write(toHelp(subcommands));
  else if (line.flags.has("version")) {
    const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    process.stdout.write(`${JSON.parse(manifest).version}\n`);
  } else await start(line);
}

const [first, second] = process.argv.slice(2);
const subcommand = findSubcommand(process.argv.slice(2));
if (subcommand) await run(subcommand);
else if (first === "completion") process.stdout.write(orRefuse(() => toCompletion(second)));
else await runCommand();
