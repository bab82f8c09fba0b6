/**
 * A small glyph beside an identifier: account = symmetric cells, contract = the same with a cut corner, transaction =
 * bars. Decorative: the identifier itself is in the text.
 */
import type { CSSProperties } from "react";
import { toBars, toCells, toHue } from "@/components/atoms/hashmark";

export type HashmarkKind = "account" | "contract" | "transaction";

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
      {kind === "transaction"
        ? toBars(id).map((height, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other identity
            <rect key={index} x={index * 2 - 0.25} y={15 - height * 1.875} width={1.5} height={height * 1.875} />
          ))
        : toCells(id)
            .filter(({ x, y }) => kind === "account" || x + 4 - y < 7)
            .map(({ x, y }) => <rect key={`${x}${y}`} x={x * 3} y={y * 3} width={3} height={3} />)}
      {kind === "contract" && <path d="M9 0 15 6V0z" />}
    </svg>
  );
}
