"use client";
/** A button that cycles through the system, light and dark themes. */
import { useSyncExternalStore } from "react";
import { Icon } from "@/components/atoms/Icon";
import { announce } from "@/components/layout/announcer";
import { findDocumentTheme, setDocumentTheme, type Theme, toNextTheme } from "@/components/layout/theme";

const looks = {
  system: { icon: "screen", word: "system" },
  light: { icon: "sun", word: "light" },
  dark: { icon: "moon", word: "dark" },
} as const;

function subscribe(listener: () => void): () => void {
  window.addEventListener("themechange", listener);
  return () => window.removeEventListener("themechange", listener);
}

export function toggleTheme(): void {
  const theme = toNextTheme(findDocumentTheme());
  setDocumentTheme(theme);
  announce(`Theme: ${looks[theme].word}`);
}

export function ThemeToggle({ initial }: { initial: Theme }) {
  const theme = useSyncExternalStore(subscribe, findDocumentTheme, () => initial);
  const label = `Theme: ${looks[theme].word}`;
  return (
    <button
      type="button"
      onClick={toggleTheme}
      aria-label={label}
      title={`${label} (t)`}
      className="icon-button size-8"
    >
      <Icon name={looks[theme].icon} />
    </button>
  );
}
