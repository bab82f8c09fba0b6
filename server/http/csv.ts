/**
 * Writes CSV in the format of RFC 4180. A cell that a spreadsheet would evaluate as a formula gets a leading
 * apostrophe.
 */

export const csvContentType = "text/csv; charset=utf-8";

/** Objects are written as JSON; null and undefined leave the cell empty. */
export function toCsvLine(values: readonly unknown[]): string {
  return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: unknown): string {
  const text = toText(value);
  // Spreadsheets skip leading spaces before they look for a formula.
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
