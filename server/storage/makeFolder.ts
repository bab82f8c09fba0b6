/** Creates folders, as `mkdir -p` does. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasErrorCode } from "@/lib/hasErrorCode";

/**
 * Creates a folder and its missing parents. Throws the file system's error. Node's own recursive mode never returns on a
 * file system that refuses new folders with ENOENT, such as /proc.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!hasErrorCode(error, "EEXIST") || !statSync(path).isDirectory()) throw error;
  }
}
