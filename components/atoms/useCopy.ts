"use client";
import { useEffect, useState } from "react";
import { copyText } from "@/components/atoms/copyText";

const shownMs = 1500;

/** Copies text, and says for a moment that it was copied. `what` names the text for screen readers. */
export function useCopy(what: string): { isCopied: boolean; copy: (text: string) => Promise<void> } {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return { isCopied, copy: async (text) => setCopied(await copyText(text, what)) };
}
