/** Makes text from a contract or a stranger safe to show: it may contain anything, at any length. */

/** Control, direction, invisible and unassigned characters. */
const hidden = /\p{C}/gu;

/** The text in one line, without characters that hide or reorder what is around them, and at most this long. */
export function toShownText(text: string, most: number): string {
  // A few characters more, because some of them are removed.
  const shown = [
    ...text
      .slice(0, 4 * most)
      .replace(/\s+/g, " ")
      .replace(hidden, "")
      .trim(),
  ];
  return shown.length <= most && text.length <= 4 * most ? shown.join("") : `${shown.slice(0, most - 1).join("")}…`;
}
