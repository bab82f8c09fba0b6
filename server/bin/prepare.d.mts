/** Types of prepare.mjs for the TypeScript files that import it: tests, and the programs beside the server. */

/** The project folder. */
export const root: string;
/** Flags with which Node runs a TypeScript file of ours. */
export const typescript: string[];

/** What `npm start` runs: the server of the last build. */
export const builtServer: string;

/** Builds the pages if the sources changed since the last build; `check` runs before a build begins. */
export function ensureBuild(options: { check: () => Promise<void>; say: (line: string) => void }): Promise<void>;

/** Checks the networks file, which only the typed configuration can do. */
export function checkConfig(): Promise<void>;

/** A step failed: the message is for the person at the terminal. */
export class StepError extends Error {}

/** The npm that started us: the command to run, and its first arguments. */
export function toNpmCommand(): { command: string; prefix: string[] };

/** Puts a Brotli copy ("x.js.br") beside each script and style in the folder, by default the build's. */
export function compressBuild(folder?: string): Promise<void>;
