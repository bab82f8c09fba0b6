/**
 * The two typefaces, served from our own origin: a variable sans for text and a mono for data. Both are preloaded. If a
 * font arrives after the first paint, it is only used from the next page on, because swapping it in late would shift
 * the layout.
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
