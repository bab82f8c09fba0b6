"use client";
/**
 * A copy button. It is visible on hover and focus, and always visible on touch screens. Its space is reserved, so that
 * nothing moves when it appears.
 */
import { Icon } from "@/components/atoms/Icon";
import { useCopy } from "@/components/atoms/useCopy";

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
  const { isCopied, copy } = useCopy(what);
  return (
    <button
      type="button"
      onClick={() => copy(typeof value === "string" ? value : value())}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      className={`icon-button ${quiet && !isCopied ? "quiet" : ""} ${isCopied ? "text-pos" : ""}`}
    >
      <Icon name={isCopied ? "check" : "copy"} />
    </button>
  );
}
