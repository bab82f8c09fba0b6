/** What a decoded number means, judging by its name and type: an amount, a time, an identifier, or the largest value. */

import type { DecodedValue } from "@/lib/decode/decoded";

type Parameter = { name?: string | undefined; type: string };

const amounts =
  /^(value|amount|requestedAmount|wad|units|assets|shares|increment|decrement|addedValue|subtractedValue|maxAmount|balance|needed|allowance)$/i;
const amountResults = /^(totalSupply|balanceOf|allowance|cap|maxSupply|totalAssets)$/;
const identifiers = /^(chain_?id|nonce|v)$/i;
const times =
  /^(valid(After|Before)|deadline|sig(nature)?Deadline|expir(y|ation|es)|timestamp|\w+(At|Time|Timestamp))$/i;

/** Whether a parameter looks like an amount of the contract's own token, or of the one that `findNamedToken` returns. */
export function isTokenAmount({ name, type }: Parameter): boolean {
  return /^u?int(256|160|128)?$/.test(type) && amounts.test(name ?? "");
}

/**
 * The token that the values name, at any depth: amounts beside it are in this token's units. Undefined if they name none
 * or several.
 */
export function findNamedToken(values: readonly DecodedValue[]): string | undefined {
  const tokens = new Set(listNamedTokens(values));
  return tokens.size === 1 ? [...tokens][0] : undefined;
}

function listNamedTokens(values: readonly DecodedValue[]): string[] {
  return values.flatMap(({ name, type, value }) => {
    if (typeof value !== "string") return listNamedTokens(value);
    return type === "address" && /^(token|asset)$/.test(name) ? [value] : [];
  });
}

/** Whether the single result of this function looks like an amount of the contract's own token. */
export const returnsTokenAmount = (functionName: string) => amountResults.test(functionName);

/** Whether the number is an identifier, so that its digits aren't grouped. */
export const isIdentifier = (name: string) => identifiers.test(name);

/** Whether a parameter with this name usually is a time in seconds since the epoch. */
export const isTimeName = (name: string) => times.test(name);

/** Whether the number is a time in seconds since the epoch. From 2001 to 2286, such times have ten digits. */
export const isTime = (name: string, value: string) => isTimeName(name) && /^\d{10}$/.test(value);

/** Whether the number is the largest value of its type, which usually means "no limit". */
export function isLargest(type: string, value: string): boolean {
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256);
  return type.startsWith("u") && bits >= 96 && BigInt(value) === (1n << BigInt(bits)) - 1n;
}
