/** The subcommands of `tollscan`: programs in server/tools, which npm scripts run too. Help and completion use this table. */
import { type Option, toOptionTable } from "@/server/config/commandLine.mjs";

export type Subcommand = {
  /** The words to type after `tollscan`. */
  words: string;
  /** The program's file in server/tools, without its extension. */
  file: string;
  meaning: string;
  options: readonly (Option & {
    option: string;
    value: string;
    meaning: string;
    fallback?: string;
    example?: string;
  })[];
};

export const seedCommand: Subcommand = {
  words: "seed",
  file: "seed",
  meaning: "Send a mix of transactions and payments to a running node",
  options: [
    { option: "url", value: "url", fallback: "http://localhost:3000", meaning: "The node" },
    { option: "network", value: "name", meaning: "The network; by default, the node's first one" },
    { option: "transactions", value: "number", fallback: "5000", meaning: "How many transactions to send" },
    { option: "payments", value: "number", fallback: "20", meaning: "How many payments to settle" },
    { option: "seed", value: "number", fallback: "1", meaning: "The same seed sends the same transactions" },
  ],
};

export const importCommand: Subcommand = {
  words: "import",
  file: "import",
  meaning: "Import another client's chain into a data folder",
  options: [
    { option: "genesis", value: "file", example: "genesis.json", meaning: "The chain's geth genesis" },
    { option: "blocks", value: "file", example: "chain.rlp", meaning: "Its blocks, in geth's export format" },
    { option: "data", value: "folder", example: ".imported", meaning: "The data folder to create or continue" },
  ],
};

export const reindexCommand: Subcommand = {
  words: "reindex",
  file: "reindex",
  meaning: "Rebuild the explorer's index from the blocks; stop the node first",
  options: [
    {
      option: "data",
      value: "folder",
      fallback: "",
      meaning: "The data folder; by default, TOLLSCAN_DATA or .tollscan",
    },
    {
      option: "networks",
      value: "names",
      fallback: "",
      meaning: "The networks; by default, those in TOLLSCAN_NETWORKS",
    },
  ],
};

export const copyCommand: Subcommand = {
  words: "store copy",
  file: "copyStore",
  meaning: "Copy all data between a data folder and Postgres; stop the node first",
  options: [
    { option: "from", value: "place", example: ".tollscan", meaning: "A data folder or a postgres:// URL" },
    {
      option: "to",
      value: "place",
      example: "postgres://user:password@host/database",
      meaning: "Where to copy it: a data folder or Postgres URL without data",
    },
  ],
};

export const subcommands: readonly Subcommand[] = [seedCommand, importCommand, reindexCommand, copyCommand];

/** Finds the subcommand at the start of the arguments. */
export function findSubcommand(args: readonly string[]): Subcommand | undefined {
  return subcommands.find(({ words }) => words === args.slice(0, words.split(" ").length).join(" "));
}

export function toSubcommandHelp({ words, meaning, options }: Subcommand): string {
  const rows = options.map((option) => ({
    ...option,
    meaning: `${option.meaning}${option.fallback ? ` [default: ${option.fallback}]` : option.example ? " [required]" : ""}`,
  }));
  return [`${meaning}.`, "", `Usage: tollscan ${words} [options]`, "", "Options:", toOptionTable(rows), ""].join("\n");
}
