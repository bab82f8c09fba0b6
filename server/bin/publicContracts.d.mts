/**
 * Types of publicContracts.mjs for its test.
 */

/** Writes the public contracts' code into a folder unless it is already there. `install` provides the packages. */
export function fetchPublicContracts(
  cache: string,
  install: (packages: { name: string; file: string }[], folder: string, what: string) => Promise<void>,
): Promise<void>;
