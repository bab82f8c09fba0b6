/**
 * A long hex value, cut in the middle by the room it has. The whole text is in the document, so that find and copy
 * take all of it; only its painting is cut.
 */
import type { CSSProperties } from "react";

/** Character widths are fractions of a pixel: without a little room the ellipsis eats one character more. */
const slack = 0.25;

export function Hash({
  value,
  characters,
  className = "",
}: {
  value: string;
  /** Width in characters; by default all the room there is. */
  characters?: number;
  className?: string;
}) {
  const tail = Math.min(characters === undefined ? 8 : Math.floor((characters - 3) / 2), value.length);
  return (
    <span className={`hash ${className}`} title={value} style={toStyle(value, characters)}>
      <span className="hash-head" style={{ maxWidth: `calc(100% - ${tail}ch)` }}>
        {value.slice(0, value.length - tail)}
      </span>
      <span>{value.slice(value.length - tail)}</span>
    </span>
  );
}

/** The width is a variable, so that a narrow place can ask for less. */
function toStyle(value: string, characters: number | undefined): CSSProperties | undefined {
  if (characters === undefined) return undefined;
  return { "--characters": `${Math.min(characters, value.length) + slack}ch` } as CSSProperties;
}
