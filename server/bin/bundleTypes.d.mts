/** Types of bundleTypes.mjs for its test. */

/** Returns the text of one file with the declarations that an entry exports and everything they refer to. */
export function bundleTypes(options: {
  root: string;
  emitted: string;
  entry: string;
  packages?: readonly string[];
}): string;
