/**
 * Converts the options of createTollscan to the server's settings. The options are the command's, in camel case; both
 * come from the table in config/environment.mjs. Other environment variables are ignored.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, limits, variables } from "@/server/config/environment.mjs";
import type { NetworkOptions, TollscanOptions } from "@/server/library/types";

type Settings = Record<string, string>;

/** Converts an option of the command to camel case: "block-time" becomes "blockTime". */
const toOptionName = (option: string) => option.replace(/-[a-z]/g, (text) => text.charAt(1).toUpperCase());

/** Data is never kept, so there is no option for a data folder. */
const byOption = new Map(
  variables.flatMap(({ name, option }) =>
    option === undefined || option === "data" ? [] : [[toOptionName(option), name] as const],
  ),
);

/** The names of all options. */
export const optionNames = ["pages", "limits", ...byOption.keys()];

/** Always set, because test suites need public test keys and dev controls. */
const fixed: Settings = { TOLLSCAN_DETERMINISTIC: "on", TOLLSCAN_DEVELOPER: "on" };

/** Port 0 picks a free port. */
const defaults: Settings = { PORT: "0" };

const toText = (value: unknown) => {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") : String(value);
};

/**
 * Converts the options to settings. If networks are given as objects, they are written to a file in the folder. Throws
 * ConfigError.
 */
export function toSettings({ networks, limits: given = {}, pages, ...options }: TollscanOptions, folder: string) {
  // With `pages`, the `tollscan` command runs the node, and it can't pass on the keys of a custom mnemonic.
  if (pages && options.mnemonic !== undefined) throw new ConfigError("mnemonic can't be combined with pages.");
  const settings: Settings = { ...defaults };
  for (const [option, value] of Object.entries({ ...options, networks: toNetworks(networks, folder) })) {
    const name = byOption.get(option);
    if (name === undefined) {
      throw new ConfigError(`${option} is not an option of createTollscan; the options are ${optionNames.join(", ")}.`);
    }
    if (value !== undefined) settings[name] = toText(value);
  }
  for (const [option, value] of Object.entries(given)) {
    const name = limits.find(({ limit }) => limit === option)?.name;
    if (name === undefined) throw new ConfigError(`limits.${option} is not a known limit.`);
    if (value !== undefined) settings[name] = toText(value);
  }
  return { ...settings, ...fixed };
}

const toFile = (folder: string) => join(folder, "networks.json");

function toNetworks(networks: TollscanOptions["networks"], folder: string): string | undefined {
  if (networks === undefined) return undefined;
  if (networks.length === 0) throw new ConfigError("The networks option must list at least one network.");
  const isNames = (names: typeof networks): names is string[] => names.every((name) => typeof name === "string");
  if (isNames(networks)) return networks.join(",");
  const toEntry = (network: string | NetworkOptions) => (typeof network === "string" ? { preset: network } : network);
  const toJson = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  writeFileSync(toFile(folder), JSON.stringify(networks.map(toEntry), toJson));
  return toFile(folder);
}

/** Returns a ConfigError's message with the names of environment variables replaced by those of options. */
export function nameOptions(message: string, folder: string): string {
  const source = `TOLLSCAN_NETWORKS is ${toFile(folder)},`;
  const withoutFile = message.replace(`${source} which`, "networks").replace(`${source} whose`, "networks: the");
  const named = [...byOption].reduce(
    (text, [option, name]) => text.replace(new RegExp(`\\b${name}\\b`, "g"), option),
    withoutFile,
  );
  return limits.reduce((text, { limit, name }) => text.replaceAll(name, `limits.${limit}`), named);
}
