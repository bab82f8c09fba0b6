import { readFileSync, statSync } from "node:fs";
import { type Labels, LabelsError, parseLabels } from "@/lib/labels";
import { ConfigError } from "@/server/config/environment.mjs";

/** The maximum file size in bytes. Even a large set of labels is far smaller. */
const maxBytes = 1_000_000;

/** Reads the operator's labels for addresses from a file. Throws ConfigError. */
export function readLabelsFile(file: string): Labels {
  const refuse = (why: string) => new ConfigError(`TOLLSCAN_LABELS is ${file}, ${why}.`);
  let text: string;
  try {
    if (statSync(file).size > maxBytes) throw refuse("which is larger than a megabyte");
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw error instanceof ConfigError ? error : refuse("which cannot be read");
  }
  try {
    return parseLabels(text);
  } catch (error) {
    if (!(error instanceof LabelsError)) throw error;
    throw refuse(`which is invalid: ${error.message.replace(/\.$/, "")}`);
  }
}
