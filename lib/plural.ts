/** The word for a count: `plural(1, "block")` is "block", `plural(2, "block")` is "blocks". */
export function plural(count: number | bigint, one: string, other = `${one}s`): string {
  return Number(count) === 1 ? one : other;
}
