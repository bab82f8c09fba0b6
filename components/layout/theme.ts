/** The theme: light, dark or the system's. It is stored in a cookie, so that the server can render the page with it. */
export const themeCookie = "theme";
const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export function toTheme(text: string | undefined): Theme {
  return themes.find((theme) => theme === text) ?? "system";
}

/** The next theme in the toggle's order. */
export function toNextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!;
}

/** The document's theme, or "system" if the document doesn't set one. */
export function findDocumentTheme(): Theme {
  return toTheme(document.documentElement.dataset.theme);
}

/** Applies the theme and remembers it for a year. */
export function setDocumentTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=31536000; samesite=lax`;
  window.dispatchEvent(new Event("themechange"));
}
