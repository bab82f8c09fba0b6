import { type NonceGap, toNonceRanges, toNoncesText } from "@/components/pool/nonceGaps";

/** "nonces 4–5 and 7", in which no range is split between lines. `bare` leaves out the first word. */
export function Nonces({ gaps, bare = false }: { gaps: readonly NonceGap[]; bare?: boolean }) {
  const text = bare ? toNonceRanges(gaps) : toNoncesText(gaps);
  return text.split(/(\d+–\d+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
