/**
 * The two typefaces, preloaded from the app's own origin: a variable sans for text and a mono for data. If a font arrives
 * too late for the first paint, the page keeps the fallback font, because swapping fonts would shift the layout.
 */
import localFont from "next/font/local";

export const sans = localFont({
  src: "./instrument-sans.woff2",
  variable: "--font-instrument",
  weight: "400 600",
  display: "optional",
});

export const mono = localFont({
  src: "./jetbrains-mono.woff2",
  variable: "--font-jetbrains",
  weight: "400 600",
  display: "optional",
  adjustFontFallback: false,
});
