/**
 * A small glyph beside an identifier. An account has symmetric cells, a contract has the same cells with a cut corner,
 * and a transaction has bars. The glyph is decorative, because the identifier itself is in the text.
 */
import type { CSSProperties } from "react";
import { toBars, toCells, toHue } from "@/components/atoms/hashmark";

export type HashmarkKind = "account" | "contract" | "transaction";

/** Draws the whole glyph as one path, because lists show hundreds of hashmarks and React hydrates every element. */
function toPath(kind: HashmarkKind, id: string): string {
  if (kind === "transaction") {
    return toBars(id)
      .map((height, index) => `M${index * 2 - 0.25} 15v-${height * 1.875}h1.5v${height * 1.875}z`)
      .join("");
  }
  const cells = toCells(id)
    .filter(({ x, y }) => kind === "account" || x + 4 - y < 7)
    .map(({ x, y }) => `M${x * 3} ${y * 3}h3v3h-3z`);
  return cells.join("") + (kind === "contract" ? "M9 0 15 6V0z" : "");
}

export function Hashmark({ kind, id, size = 14 }: { kind: HashmarkKind; id: string; size?: number }) {
  const style = { "--hue": toHue(id) } as CSSProperties;
  return (
    <svg
      aria-hidden
      viewBox="0 0 15 15"
      width={size}
      height={size}
      className="hashmark"
      style={style}
      focusable="false"
    >
      <path d={toPath(kind, id)} />
    </svg>
  );
}
