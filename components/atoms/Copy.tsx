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
}: {
  /** The text to copy. Pass a function if the text is expensive to build or can change. */
  value: string | (() => string);
  what: string;
  quiet?: boolean;
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
