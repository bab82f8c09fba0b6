/**
 * The two typefaces, served from our own origin: a variable sans with a width axis for everything said, a mono for
 * everything that is data. Both are preloaded, and one that is not there when the page is first painted waits for the
 * next page: swapped in later it would move what is being read.
 */
import localFont from "next/font/local";

export const sans = localFont({
  src: "../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-standard-normal.woff2",
  variable: "--font-instrument",
  weight: "400 700",
  declarations: [{ prop: "font-stretch", value: "75% 100%" }],
  display: "optional",
});

export const mono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  variable: "--font-jetbrains",
  weight: "100 800",
  display: "optional",
  adjustFontFallback: false,
});
