"use client";
/** A copy button that says what it copies, for places with several texts to copy. */
import { useCopy } from "@/components/atoms/useCopy";

export function CopyButton({
  label,
  done,
  value,
  what,
  className = "",
}: {
  label: string;
  /** The label after the text was copied. */
  done: string;
  value: string;
  /** Names the text for screen readers. */
  what: string;
  className?: string;
}) {
  const { isCopied, copy } = useCopy(what);
  return (
    <button type="button" className={`button ${className}`} onClick={() => copy(value)}>
      {isCopied ? done : label}
    </button>
  );
}
