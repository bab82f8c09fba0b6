/**
 * An address's role in a row of its list. It has a tint rather than an outline, because methods, which may be beside it,
 * have an outline.
 */

/** `current` is the address that the list is about, in lowercase. */
export function toWay({ from, to }: { from: string; to: string }, current: string): "in" | "out" | "self" {
  if (from === to) return "self";
  return from === current ? "out" : "in";
}

export function DirectionTag({
  word,
  short,
  hint,
}: {
  word: string;
  /** Shown on phones instead of the word, if they have no room for it. */
  short?: string;
  hint?: string;
}) {
  return (
    <span
      // Centers the tag on the letters beside it, which are above the line's middle.
      className="relative -top-px inline-flex h-5 items-center whitespace-nowrap rounded-sm bg-sunken px-1.5 align-middle max-sm:px-1 text-12 text-ink"
      title={hint}
    >
      {short === undefined ? (
        word
      ) : (
        <>
          <span className="max-md:hidden">{word}</span>
          <span className="md:hidden">{short}</span>
        </>
      )}
    </span>
  );
}
