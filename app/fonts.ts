/**
 * The two typefaces, served from the app's own origin: a variable sans for text and a mono for data. Both are
 * preloaded. If a font arrives too late for the first paint, the page keeps the fallback font, because swapping fonts
 * would shift the layout.
 */
import localFont from "next/font/local";

export const sans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2",
  variable: "--font-instrument",
  weight: "400 700",
  display: "optional",
});

export const mono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  variable: "--font-jetbrains",
  weight: "100 800",
  display: "optional",
  adjustFontFallback: false,
});
