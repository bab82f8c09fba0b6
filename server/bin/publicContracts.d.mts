/**
 * Types of publicContracts.mjs for its test.
 */

/** Writes the code of the public contracts into a folder, unless it is there, with the packages that install brings. */
export function fetchPublicContracts(
  cache: string,
  install: (packages: { name: string; file: string }[], folder: string, what: string) => Promise<void>,
): Promise<void>;
