/**
 * Text that a stranger wrote, made safe to show on one line: invisible characters could hide or reorder what is around
 * them.
 */

/** Control characters, line separators, direction marks and other invisible format characters, lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** The text on one line without invisible characters, at most max characters long; undefined if nothing is left. */
export function toPlainText(text: string, max: number): string | undefined {
  // Cut before and after, so that a long text is not searched to its end.
  const line = text
    .slice(0, max * 4)
    .replace(invisible, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= max) return line || undefined;
  return `${[...line.slice(0, max)].slice(0, -1).join("")}…`;
}
