import { type NonceGap, toNoncesText } from "@/components/pool/nonceGaps";

/** "nonces 4–5 and 7", in which no range is split between lines. */
export function Nonces({ gaps }: { gaps: readonly NonceGap[] }) {
  return toNoncesText(gaps)
    .split(/(\d+–\d+)/)
    .map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        <span key={part} className="whitespace-nowrap">
          {part}
        </span>
      ),
    );
}
