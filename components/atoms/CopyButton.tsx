"use client";
/** A copy button that says what it copies, for places with several texts to copy. */
import { useEffect, useState } from "react";
import { copyText } from "@/components/atoms/copyText";

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
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      className={`button ${className}`}
      onClick={async () => setCopied(await copyText(value, what))}
    >
      {isCopied ? done : label}
    </button>
  );
}
