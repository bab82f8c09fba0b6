/** Makes untrusted text, such as a token's name, safe to show. */

/** Control characters, characters that change the text direction, and invisible or unassigned characters. */
const hidden = /\p{C}/gu;

/**
 * Returns the path of a resource's URL. Other text is made safe to show and limited to 100 characters. Returns an empty
 * string for null.
 */
export function toResourcePath(resource: string | null): string {
  if (resource === null) return "";
  return URL.canParse(resource) ? new URL(resource).pathname : toShownText(resource, 100);
}

/** Converts text to a single line with a limited length, without characters that hide or reorder other text. */
export function toShownText(text: string, most: number): string {
  // Reads more characters than it returns, because some are removed.
  const shown = [
    ...text
      .slice(0, 4 * most)
      .replace(/\s+/g, " ")
      .replace(hidden, "")
      .trim(),
  ];
  return shown.length <= most && text.length <= 4 * most ? shown.join("") : `${shown.slice(0, most - 1).join("")}…`;
}
