/** A sender's pending transactions as a line of nonces, with gaps as entries of their own. */

export type NoncePlace = { nonce: number; at: number } | { missing: readonly [first: number, last: number] };

/** `nonces` are ascending; `next` is the sender's next nonce on the chain; `at` is the index in the given list. */
export function toNonceLine(next: number, nonces: readonly number[]): NoncePlace[] {
  const line: NoncePlace[] = [];
  let expected = next;
  for (const [at, nonce] of nonces.entries()) {
    if (nonce > expected) line.push({ missing: [expected, nonce - 1] });
    line.push({ nonce, at });
    expected = nonce + 1;
  }
  return line;
}
