/**
 * A long hex value, shortened in the middle to fit. The document still contains the whole text, so that the browser's
 * find and copy work.
 */
import type { CSSProperties } from "react";

/**
 * The number of characters shown after the ellipsis. With `short`, the same number of digits is shown before the
 * ellipsis: 0x1234…abcd.
 */
const tail = { short: 4, fitting: 8 };

export function Hash({
  value,
  short = false,
  className = "",
}: {
  value: string;
  /** Shortens the value even if the whole value would fit, for example in lists. */
  short?: boolean;
  className?: string;
}) {
  const end = Math.max(value.length - (short ? tail.short : tail.fitting), 0);
  const isCut = short && value.length > 12;
  return (
    <span className={`hash ${isCut ? "hash-short" : ""} ${className}`} title={value}>
      <span className="hash-head" style={{ "--tail": `${value.length - end}ch` } as CSSProperties}>
        {value.slice(0, end)}
      </span>
      <span>{value.slice(end)}</span>
    </span>
  );
}
