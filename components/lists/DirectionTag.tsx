/**
 * An address's role in a row of its list. It has a tint rather than an outline, because methods, which may be beside it,
 * have an outline.
 */
import { Icon } from "@/components/atoms/Icon";

export type Way = "in" | "out" | "self";

/** `current` is the address that the list is about, in lowercase. */
export function toWay({ from, to }: { from: string; to: string | null }, current: string): Way {
  if (from === to) return "self";
  return from === current ? "out" : "in";
}

export function DirectionTag({
  word,
  way,
  hint,
}: {
  /** The default is the way. */
  word?: string;
  /** Whether something came in or went out, if the row says so. */
  way?: Way | undefined;
  hint?: string;
}) {
  const isWay = word === undefined || word === way;
  return (
    <span
      // Centers the tag on the letters beside it, which are above the line's middle.
      className="relative -top-px inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm bg-sunken px-1.5 align-middle max-sm:px-1 text-12 text-ink"
      title={hint}
    >
      {/* Below the md breakpoint, an arrow is on the row's second line, and there is no room for a long word. */}
      {isWay && way !== "self" && (
        <Icon
          name="arrow"
          className={`size-3! max-md:hidden text-ink-2 ${way === "in" ? "rotate-135" : "-rotate-45"}`}
        />
      )}
      {isWay || !way ? (
        (word ?? way)
      ) : (
        <>
          <span className="max-md:hidden">{word}</span>
          <span className="md:hidden">{way}</span>
        </>
      )}
    </span>
  );
}
