/**
 * Types of node.mjs for the tests.
 */

/** Whether a Node version is new enough for package.json's `engines`. The default is the running version. */
export function isNodeSupported(version?: string): boolean;

/** An environment for child processes in which `node` runs this file. */
export function toNodeEnv(file: string): NodeJS.ProcessEnv;

/** The path of the pinned Node or of another version, fetched if it is missing. */
export function ensureNode(say: (line: string) => void, version?: string): Promise<string>;
