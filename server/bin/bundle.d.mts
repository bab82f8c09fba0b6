/**
 * Types of bundle.mjs for what TypeScript imports of it: tests, and the benchmark that starts the server.
 */

/** Writes the server's code into a folder below the project's; returns the file to start. */
export function bundleServer(root: string, folder: string): Promise<string>;
