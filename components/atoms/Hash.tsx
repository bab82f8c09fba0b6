/**
 * A long hex value, shortened in the middle to fit. The document contains the whole text, so that find and copy work;
 * only the display is cut.
 */
import type { CSSProperties } from "react";

/**
 * Extra width, because characters have fractional pixel widths and the ellipsis would otherwise hide one more of them.
 */
const slack = 0.25;

export function Hash({
  value,
  characters,
  className = "",
}: {
  value: string;
  /** Width in characters; all available space by default. */
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

/** The width is a CSS variable, so that narrow layouts can reduce it. */
function toStyle(value: string, characters: number | undefined): CSSProperties | undefined {
  if (characters === undefined) return undefined;
  return { "--characters": `${Math.min(characters, value.length) + slack}ch` } as CSSProperties;
}
