/**
 * Types of bundle.mjs for what TypeScript imports of it: tests, and the benchmark that starts the server.
 */

/** Writes the server's code into a folder below the project's; answers the file to be started. */
export function bundleServer(root: string, folder: string): Promise<string>;
