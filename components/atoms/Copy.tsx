"use client";
/**
 * A copy button. It is visible on hover and focus, and always visible on touch screens. Its space is reserved, so that
 * nothing moves when it appears.
 */
import { useEffect, useState } from "react";
import { copyText } from "@/components/atoms/copyText";
import { Icon } from "@/components/atoms/Icon";

export function Copy({
  value,
  what,
  quiet = true,
  label,
}: {
  /** The text to copy. Pass a function if the text is expensive to build or can change. */
  value: string | (() => string);
  what: string;
  quiet?: boolean;
  /** Shown in place of the icon. */
  label?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    setCopied(await copyText(typeof value === "string" ? value : value(), what));
  }

  if (label !== undefined) {
    return (
      <button type="button" onClick={copy} className="button min-w-18" title={`Copy ${what}`}>
        {copied ? "Copied" : label}
      </button>
    );
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      className={`icon-button ${quiet && !copied ? "quiet" : ""} ${copied ? "text-pos" : ""}`}
    >
      <Icon name={copied ? "check" : "copy"} />
    </button>
  );
}
