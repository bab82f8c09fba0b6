/**
 * Types of prepare.mjs for what TypeScript imports of it: the tests alone.
 */

/** Puts a Brotli copy ("x.js.br") beside each script and style in the folder, by default the build's. */
export function compressBuild(folder?: string): Promise<void>;
