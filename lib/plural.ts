/**
 * The singular or plural of a word, depending on the count: `plural(1, "block")` is "block", and `plural(2, "block")`
 * is "blocks".
 */
export function plural(count: number | bigint, one: string, other = `${one}s`): string {
  return Number(count) === 1 ? one : other;
}
