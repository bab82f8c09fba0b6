/** What a decoded number means, judging by its name and type: an amount, a time, an identifier, or the largest value. */

type Parameter = { name?: string | undefined; type: string };

const amounts =
  /^(value|amount|wad|units|assets|shares|increment|decrement|addedValue|subtractedValue|maxAmount|balance|needed|allowance)$/i;
const amountResults = /^(totalSupply|balanceOf|allowance|cap|maxSupply|totalAssets)$/;
const identifiers = /^(chain_?id|nonce|v)$/i;
const times =
  /^(valid(After|Before)|deadline|sig(nature)?Deadline|expir(y|ation|es)|timestamp|\w+(At|Time|Timestamp))$/i;

/** Whether a parameter looks like an amount of the contract's own token. */
export function isTokenAmount({ name, type }: Parameter): boolean {
  return /^u?int(256|160|128)?$/.test(type) && amounts.test(name ?? "");
}

/** Whether the single result of this function looks like an amount of the contract's own token. */
export const returnsTokenAmount = (functionName: string) => amountResults.test(functionName);

/** Whether the number is an identifier, so that its digits aren't grouped. */
export const isIdentifier = (name: string) => identifiers.test(name);

/** Whether the number is a time in seconds since the epoch. From 2001 to 2286, such times have ten digits. */
export const isTime = (name: string, value: string) => times.test(name) && /^\d{10}$/.test(value);

/** Whether the number is the largest value of its type, which usually means "no limit". */
export function isLargest(type: string, value: string): boolean {
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256);
  return type.startsWith("u") && bits >= 96 && BigInt(value) === (1n << BigInt(bits)) - 1n;
}
