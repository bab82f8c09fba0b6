"use client";
/**
 * A token's name and symbol: from the network's configuration if it is known, otherwise from the contract. If the
 * contract doesn't respond, the token has no symbol and its amounts are in smallest units.
 */
import { useQuery } from "@tanstack/react-query";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { selectors } from "@/components/token/tokenSelectors";
import { findBytes, findShownString, findShownText, findText, findUint, findWord } from "@/lib/decode/words";
import { findToken } from "@/lib/networks";
import { viewQuery } from "@/lib/query/explorerQueries";

/**
 * The exact string that a contract returned. Early tokens return it as a bytes32. Returns undefined if it isn't
 * printable text.
 */
export function findStringAnswer(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const payload = answer.slice(2);
  const bytes = payload.length === 64 ? trimEnd(payload) : findBytes(payload, 0);
  return bytes && findText(bytes);
}

/** Like findStringAnswer, but safe to show and limited in length. */
export function findShownAnswer(answer: string | undefined, most: number): string | undefined {
  if (answer === undefined) return undefined;
  const payload = answer.slice(2);
  return payload.length === 64 ? findShownText(trimEnd(payload), most) : findShownString(payload, 0, most);
}

function trimEnd(word: string): Uint8Array {
  const digits = word.replace(/(00)+$/, "");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A returned number; undefined if it is not a single word. */
export function findUintAnswer(answer: string | undefined): bigint | undefined {
  return answer?.length === 66 ? findUint(findWord(answer.slice(2), 0)) : undefined;
}

export type TokenIdentity = { symbol: string | undefined; decimals: number; isKnown: boolean };

/** `address` is in lowercase. */
export function useToken(address: string): TokenIdentity {
  const source = useSource();
  const known = findToken(useNetwork(), address);
  const enabled = known === undefined;
  const { data: symbol } = useQuery({ ...viewQuery(source, address, selectors.symbol), enabled });
  const { data: decimals } = useQuery({ ...viewQuery(source, address, selectors.decimals), enabled });
  if (known) return { symbol: known.symbol, decimals: known.decimals, isKnown: true };
  const answered = findUintAnswer(decimals);
  return {
    symbol: findShownAnswer(symbol, 16),
    decimals: answered !== undefined && answered <= 255n ? Number(answered) : 0,
    isKnown: false,
  };
}
