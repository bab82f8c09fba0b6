"use client";
/**
 * Goes through system, light and dark.
 */
import { useSyncExternalStore } from "react";
import { Icon } from "@/components/chain/Icon";
import { announce } from "@/components/layout/announcer";
import { findDocumentTheme, setDocumentTheme, type Theme, toNextTheme } from "@/components/layout/theme";
import { t } from "@/lib/messages/translate";

const looks = {
  system: { icon: "screen", word: "theme.system" },
  light: { icon: "sun", word: "theme.light" },
  dark: { icon: "moon", word: "theme.dark" },
} as const;

function subscribe(listener: () => void): () => void {
  window.addEventListener("themechange", listener);
  return () => window.removeEventListener("themechange", listener);
}

export function toggleTheme(): void {
  const theme = toNextTheme(findDocumentTheme());
  setDocumentTheme(theme);
  announce(t("theme.label", { theme: t(looks[theme].word) }));
}

export function ThemeToggle({ initial }: { initial: Theme }) {
  const theme = useSyncExternalStore(subscribe, findDocumentTheme, () => initial);
  const label = t("theme.label", { theme: t(looks[theme].word) });
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
