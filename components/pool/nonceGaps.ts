/** The nonces that a sender's transaction waits for, as ranges and as text. */
import { plural } from "@/lib/plural";

export type NonceGap = readonly [first: number, last: number];

/** The gaps below `nonce`, in order. `next` is the sender's next nonce, and `waiting` are those in the pool. */
export function listNonceGaps(next: number, nonce: number, waiting: readonly number[]): NonceGap[] {
  const taken = waiting.filter((each) => each >= next && each < nonce).toSorted((a, b) => a - b);
  let first = next;
  return [...taken, nonce].flatMap((end) => {
    const gap: NonceGap = [first, end - 1];
    first = end + 1;
    return gap[0] > gap[1] ? [] : [gap];
  });
}

/** More gaps are counted, but not listed. */
const mostListed = 3;

/** "4", "4–5 and 7" or "4–5, 7, 9 and 2 more gaps" */
function toNonceRanges(gaps: readonly NonceGap[]): string {
  const ranges = gaps.slice(0, mostListed).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const more = gaps.length - ranges.length;
  const parts = more > 0 ? [...ranges, `${more} more ${plural(more, "gap")}`] : ranges;
  return parts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

/** "nonce 4" or "nonces 4–5 and 7" */
export function toNoncesText(gaps: readonly NonceGap[]): string {
  const isOne = gaps.length === 1 && gaps[0]?.[0] === gaps[0]?.[1];
  return `${isOne ? "nonce" : "nonces"} ${toNonceRanges(gaps)}`;
}
