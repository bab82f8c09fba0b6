/** Types of library.mjs for its test. */

/** The `exports` of the npm package. */
export const libraryExports: Record<
  string,
  string | { require: { types: string; default: string }; types: string; default: string }
>;

/** Writes the modules that other programs import, and their types, into a folder. */
export function bundleLibrary(root: string, folder: string): Promise<void>;
