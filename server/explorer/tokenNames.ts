/**
 * The names and symbols that the chain's token contracts return, for search. Each contract is only asked once, with
 * little gas, because anyone can deploy a token. Invariant: after a rollback or a state edit, they are asked again.
 */
import { encodeFunctionData } from "viem";
import { tokenAbi } from "@/lib/abi/token";
import { createRecentMap } from "@/lib/createRecentMap";
import { findShownAnswer } from "@/lib/decode/words";
import { callAt } from "@/server/chain/calls";
import type { Chain } from "@/server/chain/chain";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Address } from "@/server/ethereum/types";

/** The texts are safe to show. `symbol` or `name` is undefined if the contract doesn't return it. */
export type TokenName = { address: Address; symbol: string | undefined; name: string | undefined };

export type TokenNames = { list(): Promise<TokenName[]>; close(): void };

/** The maximum number of tokens. If there are more, only those with the most holders are used. */
const mostTokens = 500;
const callGas = 200_000n;
/** How many tokens are asked at once. This is low, so that some workers stay free for other callers. */
const concurrentTokens = 8;
/** After these errors, the next search calls the token's contract again. */
const passing: unknown[] = ["JOB_TIMEOUT", "QUEUE_FULL"];

export function createTokenNames(chain: Chain): TokenNames {
  const known = createRecentMap<Address, TokenName>(4 * mostTokens, () => 1);
  const stop = chain.onAlter(known.clear);

  async function ask(address: Address, functionName: "symbol" | "name", most: number): Promise<string | undefined> {
    const input = encodeFunctionData({ abi: tokenAbi, functionName });
    const { output, failure } = await callAt(chain, { call: { to: address, input, gas: callGas } });
    return failure ? undefined : findShownAnswer(output, most);
  }

  async function read(address: Address): Promise<TokenName> {
    const found = known.get(address);
    if (found) return found;
    try {
      const token = { address, symbol: await ask(address, "symbol", 16), name: await ask(address, "name", 40) };
      known.set(address, token);
      return token;
    } catch (error) {
      if (passing.includes(findErrorCode(error))) return { address, symbol: undefined, name: undefined };
      throw error;
    }
  }

  return {
    async list() {
      const tokens = await chain.store.listTokens({ limit: mostTokens });
      const names: TokenName[] = [];
      for (let at = 0; at < tokens.length; at += concurrentTokens) {
        names.push(...(await Promise.all(tokens.slice(at, at + concurrentTokens).map(({ token }) => read(token)))));
      }
      return names;
    },
    close: stop,
  };
}
