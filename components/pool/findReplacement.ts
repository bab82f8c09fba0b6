/** Splits a reason such as "replaced by 0x…" into its words and the other transaction's hash. */
export function findReplacement(reason: string): { words: string; hash: string } | undefined {
  const [, words, hash] = /^(.*) (0x[0-9a-f]{64})$/.exec(reason) ?? [];
  return words !== undefined && hash !== undefined ? { words, hash } : undefined;
}
