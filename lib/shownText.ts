/** Makes untrusted text, such as a token's name, safe to show. */

/** Control characters, characters that change the text direction, and invisible or unassigned characters. */
const hidden = /\p{C}/gu;

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
