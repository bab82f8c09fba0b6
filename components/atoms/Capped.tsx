"use client";
/** A long text that fades out at a maximum height, with a button that shows all of it. */
import { type ReactNode, useState } from "react";

/** Longer byte strings, counted in hex digits, are capped. */
export const mostWholeDigits = 2600;

const capClass =
  "relative overflow-hidden after:pointer-events-none after:absolute after:inset-x-0 after:bottom-0 after:h-16 after:bg-linear-to-t";
const phoneHeight = "max-h-72 sm:max-h-none sm:overflow-visible sm:after:hidden";

/**
 * The caller knows whether the text is long. Measuring it here would move the page after it is shown. With the height
 * "phone", only phones cap the text.
 */
export function Capped({
  isLong,
  all,
  height = "max-h-72",
  start,
  isSunken = true,
  children,
}: {
  isLong: boolean;
  /** How much "Show all" shows: "33 lines". */
  all: string;
  height?: "max-h-72" | "max-h-120" | "max-sm:max-h-60 max-h-120" | "phone";
  /** Shown in place of a text that is too long to lay out while most of it is hidden. */
  start?: ReactNode;
  /** Whether the text is on the sunken background. Otherwise, it is on the sheet's own. */
  isSunken?: boolean;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!isLong) return children;
  const isPhone = height === "phone";
  const cap = `${capClass} ${isSunken ? "after:from-sunken" : "after:from-surface"} ${isPhone ? phoneHeight : height}`;
  return (
    <div className="min-w-0">
      <div className={isOpen ? "" : cap}>{isOpen ? children : (start ?? children)}</div>
      <button
        type="button"
        aria-expanded={isOpen}
        className={`w-full px-4 py-2 text-left text-13 text-accent underline-offset-3 hover:underline focus-visible:-outline-offset-2 ${isSunken ? "bg-sunken" : ""} ${isPhone ? "sm:hidden" : ""}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Show less" : `Show all ${all}`}
      </button>
    </div>
  );
}
