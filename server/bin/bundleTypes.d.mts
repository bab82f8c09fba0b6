/** Types of bundleTypes.mjs for its test. */

/** Returns the declarations that an entry exports and all that they refer to, as the text of one file. */
export function bundleTypes(options: {
  root: string;
  emitted: string;
  entry: string;
  packages?: readonly string[];
}): string;
