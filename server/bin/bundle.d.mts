/** Types of bundle.mjs for the TypeScript files that import it: tests, and the benchmark that starts the server. */

/** Writes the server's code into a folder inside the project; returns the file to start. */
export function bundleServer(root: string, folder: string): Promise<string>;
