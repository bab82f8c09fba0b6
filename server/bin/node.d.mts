/**
 * Types of node.mjs for the tests.
 */

/** Whether this version, by default ours, is new enough for package.json's engines. */
export function isNodeSupported(version?: string): boolean;

/** An environment in which `node` is this file, for child processes. */
export function toNodeEnv(file: string): NodeJS.ProcessEnv;

/** The path of the pinned Node or of another version, fetched if it is missing. */
export function ensureNode(say: (line: string) => void, version?: string): Promise<string>;
