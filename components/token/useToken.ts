"use client";
/**
 * A token's name, symbol and total supply. The names come from the network's configuration if the token is known, otherwise from the
 * contract. If the contract doesn't return them, the token has no symbol and its amounts are in smallest units.
 */
import { useQuery } from "@tanstack/react-query";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { selectors } from "@/components/token/tokenSelectors";
import { findShownAnswer, findUint, findWord } from "@/lib/decode/words";
import { findToken } from "@/lib/networks";
import { viewQuery } from "@/lib/query/explorerQueries";

/** The number that a call returned, or undefined if the result is not a single word. */
export function findUintAnswer(answer: string | undefined): bigint | undefined {
  return answer?.length === 66 ? findUint(findWord(answer.slice(2), 0)) : undefined;
}

/** A token's total supply in its smallest units, at the head. Undefined if the contract doesn't return it. */
export function useTotalSupply(address: string): bigint | undefined {
  const { data } = useQuery(viewQuery(useSource(), address, selectors.totalSupply, ["head"]));
  return findUintAnswer(data);
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
