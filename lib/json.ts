/**
 * Parses JSON, and formats it for display and for wallets. Formatted JSON is indented and has bigints as decimal text.
 */

export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part), indent);
}

/** Indents the text if it is JSON. Returns other text unchanged. */
export function toPrettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Parses JSON text. Returns undefined if the text is not JSON. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
