/** Types of commandLine.mjs, which is plain JavaScript because it runs before anything is installed. */

export type CommandLine = {
  flags: ReadonlySet<string>;
  /** The environment variables that the options set. */
  settings: Readonly<Record<string, string>>;
};

/** An option's name without dashes, its letter, and a word for its value. Flags have no such word. */
export type Option = { option?: string; short?: string; value?: string };

export declare const flags: { option: string; short?: string; meaning: string }[];

/** Throws ConfigError if an option is unknown or its value is missing. Values are checked by readEnvironment. */
export declare function readCommandLine(args: string[]): CommandLine;

/** The flags that were given, as arguments. */
export declare function listFlags(line: CommandLine): string[];

/** Whether standard output is only for what the server itself prints. */
export declare function isQuiet(line: CommandLine): boolean;

/** Keeps Next's output off standard output, if --json or --silent is given. */
export declare function quietConsole(line: CommandLine): void;

/** Replaces variables in a ConfigError's message with the options that set them. */
export declare function nameOptions(message: string, line: CommandLine): string;

/** A table of options and what each one does. */
export declare function toOptionTable(options: readonly (Option & { meaning: string })[]): string;

/** Every option: settings and flags. */
export declare function listOptions(): (Option & { meaning: string })[];

/** The help text of `npm start`. */
export declare function toStartHelp(): string;

/** The help text of `tollscan`. */
export declare function toHelp(subcommands: readonly { words: string; meaning: string }[]): string;
