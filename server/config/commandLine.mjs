/**
 * The options of `tollscan` and `npm start`: one for each setting, and flags. Plain JavaScript that only uses Node
 * builtins, because `npm start` reads its options before anything is installed.
 */
import { parseArgs } from "node:util";
import { ConfigError, chainVariables, networkVariables, variables } from "./environment.mjs";

/** @import { CommandLine, Option } from "./commandLine.mjs" */
/** @import { Variable } from "./environment.mjs" */

/** Flags, which have no environment variable. Options for environment variables are in environment.mjs. */
export const flags = [
  { option: "open", meaning: "Open the explorer in a browser" },
  { option: "no-pages", meaning: "Serve JSON-RPC and payments, but no pages" },
  { option: "json", meaning: "When ready, print one line of JSON with the URLs and accounts" },
  { option: "silent", meaning: "Print nothing when ready, and don't log the contracts' `console.log` calls" },
  { option: "version", short: "V", meaning: "Print the version" },
  { option: "help", short: "h", meaning: "Print the options" },
];

/** @param {string} option */
const toFlag = (option) => `--${option}`;
const settings = variables.filter((variable) => variable.option !== undefined);

/**
 * Parses the arguments. Throws ConfigError if an option is unknown or its value is missing. The values themselves are
 * checked later.
 * @param {string[]} args @returns {CommandLine}
 */
export function readCommandLine(args) {
  const { tokens } = parseArgs({
    args,
    tokens: true,
    strict: false,
    options: Object.fromEntries([
      ...settings.map(({ option = "", short, value }) => [
        option,
        { type: /** @type {"string" | "boolean"} */ (value ? "string" : "boolean"), ...(short && { short }) },
      ]),
      ...flags.map(({ option, short }) => [
        option,
        { type: /** @type {const} */ ("boolean"), ...(short && { short }) },
      ]),
    ]),
  });
  /** @type {Set<string>} */
  const given = new Set();
  /** @type {Record<string, string>} */
  const values = {};
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    const text = token.kind === "positional" ? token.value : token.rawName;
    const setting = token.kind === "option" && settings.find(({ option }) => option === token.name);
    const flag = token.kind === "option" && flags.find(({ option }) => option === token.name);
    if (setting && setting.value === undefined) {
      if (token.value !== undefined) throw new ConfigError(`${text} takes no value.`);
      values[setting.name] = "on";
    } else if (setting) {
      if (token.value === undefined || (!token.inlineValue && token.value.startsWith("-"))) {
        throw new ConfigError(`${text} needs a value, as in ${text} ${setting.example}.`);
      }
      values[setting.name] = token.value;
    } else if (flag) {
      if (token.value !== undefined) throw new ConfigError(`${text} takes no value.`);
      given.add(flag.option);
    } else {
      throw new ConfigError(`"${text}" is not an option; --help lists the options.`);
    }
  }
  return { flags: given, settings: values };
}

/**
 * The flags that were given, as arguments.
 * @param {CommandLine} line
 */
export const listFlags = ({ flags: given }) => [...given].map(toFlag);

/**
 * Whether standard output is only for what the server itself prints: one line with --json, and nothing with --silent.
 * @param {CommandLine} line
 */
export const isQuiet = ({ flags: given }) => given.has("json") || given.has("silent");

/**
 * Keeps Next's output off standard output, if --json or --silent is given.
 * @param {CommandLine} line
 */
export function quietConsole(line) {
  if (isQuiet(line)) Object.assign(console, { log: () => undefined });
}

/**
 * Replaces variables in a ConfigError's message with the options that set them.
 * @param {string} message @param {CommandLine} line
 */
export function nameOptions(message, { settings: given }) {
  return settings
    .filter(({ name }) => name in given)
    .reduce((text, { name, option = "" }) => text.replace(new RegExp(`\\b${name}\\b`, "g"), toFlag(option)), message);
}

/** @param {Variable} variable */
function toMeaning({ meaning, fallback, whenUnset }) {
  const unset = fallback === "" ? whenUnset : fallback;
  return `${meaning}${unset ? ` [default: ${unset}]` : ""}`;
}

const examples = [
  ["tollscan", "Start the default networks, and delete their data on exit"],
  ["tollscan --data .tollscan", "Keep the data in .tollscan"],
  ["tollscan --networks base-sepolia --open", "Start one network, and open the explorer"],
  ["tollscan --networks local --block-time 2", "Build a block every two seconds"],
  ["tollscan --port 0 --json", "Start on a free port, and print the URLs as JSON"],
];

/**
 * Formats rows of two columns as text, with the second column aligned.
 * @param {readonly (readonly string[])[]} rows
 */
function toTable(rows) {
  const width = Math.max(...rows.map(([first = ""]) => first.length));
  return rows.map(([first = "", second = ""]) => `  ${first.padEnd(width)}  ${second}`).join("\n");
}

/** @param {Option} option */
const toUsage = ({ option = "", short, value }) =>
  `${short ? `-${short}, ` : ""}${toFlag(option)}${value ? ` <${value}>` : ""}`;

/**
 * A table of options and what each one does.
 * @param {readonly (Option & { meaning: string })[]} options
 */
export const toOptionTable = (options) => toTable(options.map((option) => [toUsage(option), option.meaning]));

/** Every option: settings and flags. */
export const listOptions = () => [...settings, ...flags];

/**
 * The options as help text. `dataMeaning` replaces the meaning of --data, whose default depends on the command.
 * @param {string} [dataMeaning]
 */
function toOptionsHelp(dataMeaning) {
  /** @param {Variable} variable @returns {[string, string]} */
  const toRow = (variable) => {
    const meaning = variable.option === "data" && dataMeaning ? dataMeaning : toMeaning(variable);
    return [toUsage(variable), `${meaning} [env: ${variable.name}]`];
  };
  const plainSettings = settings.filter(({ name }) => chainVariables.every((variable) => variable.name !== name));
  return [
    "Options:",
    toTable([...plainSettings.map(toRow), ...flags.map((flag) => [toUsage(flag), flag.meaning])]),
    "",
    "Options of the local chains; remote nodes and imported chains ignore them, and a networks file can change them per network:",
    toTable(chainVariables.map(toRow)),
    "",
  ];
}

const summary = "Local EVM chains with a block explorer, JSON-RPC and an x402 facilitator.";

/** The help text of `npm start`. */
export const toStartHelp = () => [summary, "", "Usage: npm start -- [options]", "", ...toOptionsHelp()].join("\n");

/**
 * The help text of `tollscan`. `subcommands` is a parameter, because subcommands.ts imports this file.
 * @param {readonly { words: string, meaning: string }[]} subcommands
 */
export function toHelp(subcommands) {
  const others = [...variables.filter(({ option }) => option === undefined), ...networkVariables];
  const data = settings.find(({ option }) => option === "data");
  return [
    summary,
    "",
    "Usage: tollscan [options]",
    "       tollscan <subcommand> [options]",
    "",
    "Subcommands (add --help for their options):",
    toTable([
      ...subcommands.map(({ words, meaning }) => [words, meaning]),
      ["completion bash|zsh|fish", "Print completion for a shell"],
    ]),
    "",
    ...toOptionsHelp(`${data?.meaning} [default: a temporary folder, deleted on exit]`),
    "Examples:",
    toTable(examples),
    "",
    "Other environment variables:",
    ...others.map((variable) => `  ${variable.name}\n      ${toMeaning(variable)}`),
    "",
  ].join("\n");
}
