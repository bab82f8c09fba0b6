/**
 * An address's role in a row of its list. It has a tint rather than an outline, because methods, which may be beside it,
 * have an outline.
 */

/** `current` is the address that the list is about, in lowercase. */
export function toWay({ from, to }: { from: string; to: string }, current: string): "in" | "out" | "self" {
  if (from === to) return "self";
  return from === current ? "out" : "in";
}

/** On phones, "in" and "out" are only for screen readers, because an arrow before the other party shows the direction. */
export function DirectionTag({ word, hint }: { word: string; hint?: string }) {
  return (
    <span
      className={`inline-flex h-5 items-center whitespace-nowrap rounded-sm px-1.5 align-middle text-12 ${word.endsWith("in") ? "bg-pos/10 text-pos" : "bg-sunken text-ink"} ${/\b(in|out)$/.test(word) ? "max-md:sr-only" : ""}`}
      title={hint}
    >
      {word}
    </span>
  );
}
