/**
 * Labels are names that people give to addresses. TOLLSCAN_LABELS names the file with a team's labels; private labels
 * stay in the browser. Both use the same JSON: { "0x…": "Treasury" }.
 */
import { isAddress, toLowerAddress } from "@/lib/address";
import { toShownText } from "@/lib/shownText";

/** Names by lowercase address. */
export type Labels = Readonly<Record<string, string>>;

/** Every page contains the team's labels, so their number is limited. */
export const maxLabels = 500;
export const maxLabelLength = 40;

export class LabelsError extends Error {
  override name = "LabelsError";
  readonly code = "LABELS_INVALID";
}

/** The label in the form that pages show. Empty if it has no visible characters. */
export function toLabel(text: string): string {
  return toShownText(text, maxLabelLength);
}

/** Throws LabelsError unless the JSON text is an object that maps addresses to labels. */
export function parseLabels(text: string): Labels {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LabelsError("Labels must be valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new LabelsError('Labels must be a JSON object that maps addresses to names, such as { "0x…": "Treasury" }.');
  }
  const entries = Object.entries(value);
  if (entries.length > maxLabels)
    throw new LabelsError(`There are ${entries.length} labels; the limit is ${maxLabels}.`);
  return Object.fromEntries(entries.map(([address, name]) => toEntry(address, name)));
}

function toEntry(address: string, name: unknown): [string, string] {
  if (!isAddress(address)) throw new LabelsError(`“${toShownText(address, 50)}” is not an address.`);
  const label = typeof name === "string" ? toLabel(name) : "";
  if (label === "") throw new LabelsError(`The label for ${address} must be a string with visible characters.`);
  return [toLowerAddress(address), label];
}
