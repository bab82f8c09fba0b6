/** The options of the `tollscan` command: one for each setting, and flags that only the command has. */
import { parseArgs } from "node:util";
import {
  ConfigError,
  chainVariables,
  networkVariables,
  type Variable,
  variables,
} from "@/server/config/environment.mjs";

/** Flags that exist only for the command. Options for environment variables are in environment.mjs. */
export const flags: { option: string; short?: string; meaning: string }[] = [
  { option: "open", meaning: "Open the explorer in a browser" },
  { option: "no-pages", meaning: "Serve JSON-RPC and payments, but no pages" },
  { option: "json", meaning: "When ready, print one line of JSON with the URLs and accounts" },
  { option: "silent", meaning: "Print nothing when ready, and don't log the contracts' `console.log` calls" },
  { option: "version", short: "V", meaning: "Print the version" },
  { option: "help", short: "h", meaning: "Print the options" },
];

const toFlag = (option: string) => `--${option}`;
const settings = variables.filter((variable) => variable.option !== undefined);

export type CommandLine = {
  flags: ReadonlySet<string>;
  /** The environment variables that the options set. */
  settings: Readonly<Record<string, string>>;
};

/**
 * Parses the arguments. Throws ConfigError if an option is unknown or its value is missing. The values themselves are
 * checked later.
 */
export function readCommandLine(args: string[]): CommandLine {
  const { tokens } = parseArgs({
    args,
    tokens: true,
    strict: false,
    options: Object.fromEntries([
      ...settings.map(({ option = "", short, value }) => [
        option,
        { type: value ? ("string" as const) : ("boolean" as const), ...(short && { short }) },
      ]),
      ...flags.map(({ option, short }) => [option, { type: "boolean" as const, ...(short && { short }) }]),
    ]),
  });
  const given = new Set<string>();
  const values: Record<string, string> = {};
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
      throw new ConfigError(`"${text}" is not a tollscan option; --help lists the options.`);
    }
  }
  return { flags: given, settings: values };
}

/** Replaces variables in a ConfigError's message with the options that set them. */
export function nameOptions(message: string, { settings: given }: CommandLine): string {
  return settings
    .filter(({ name }) => name in given)
    .reduce((text, { name, option = "" }) => text.replace(new RegExp(`\\b${name}\\b`, "g"), toFlag(option)), message);
}

function toMeaning({ meaning, fallback, whenUnset }: Variable): string {
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

/** Formats rows of two columns as text, with the second column aligned. */
function toTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([first = ""]) => first.length));
  return rows.map(([first = "", second = ""]) => `  ${first.padEnd(width)}  ${second}`).join("\n");
}

export type Option = { option?: string; short?: string; value?: string };

const toUsage = ({ option = "", short, value }: Option) =>
  `${short ? `-${short}, ` : ""}${toFlag(option)}${value ? ` <${value}>` : ""}`;

/** A table of options and what each one does. */
export const toOptionTable = (options: readonly (Option & { meaning: string })[]) =>
  toTable(options.map((option) => [toUsage(option), option.meaning]));

/** Every option of the command: settings and flags. */
export const listOptions = (): (Option & { meaning: string })[] => [...settings, ...flags];

/** The row for a setting in the help text: its usage and its meaning. */
function toRow(variable: Variable): [string, string] {
  const isFolder = variable.option === "data";
  const meaning = isFolder ? `${variable.meaning} [default: a temporary folder, deleted on exit]` : toMeaning(variable);
  return [toUsage(variable), `${meaning} [env: ${variable.name}]`];
}

/** The help text. `subcommands` is a parameter, because subcommands.ts imports this file. */
export function toHelp(subcommands: readonly { words: string; meaning: string }[]): string {
  const isChainSetting = ({ name }: Variable) => chainVariables.some((variable) => variable.name === name);
  const others = [...variables.filter(({ option }) => option === undefined), ...networkVariables];
  return [
    "Local EVM chains with a block explorer, JSON-RPC and an x402 facilitator.",
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
    "Options:",
    toTable([
      ...settings.filter((variable) => !isChainSetting(variable)).map(toRow),
      ...flags.map((flag) => [toUsage(flag), flag.meaning]),
    ]),
    "",
    "Options of the local chains; remote nodes and imported chains ignore them, and a networks file can change them per network:",
    toTable(chainVariables.map(toRow)),
    "",
    "Examples:",
    toTable(examples),
    "",
    "Other environment variables:",
    ...others.map((variable) => `  ${variable.name}\n      ${toMeaning(variable)}`),
    "",
  ].join("\n");
}
