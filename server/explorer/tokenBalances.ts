/**
 * What tokens say of balances themselves, for lists that are made from transfers alone: a token may pay interest, take a
 * fee or forget to log. One call through Multicall3 asks for a whole page.
 */
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { tokenAbi } from "@/lib/abi/token";
import { callAt } from "@/server/chain/calls";
import type { Chain } from "@/server/chain/chain";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { CallGasError, JobTimeoutError, QueueFullError } from "@/server/ethereum/errors";
import type { Address } from "@/server/ethereum/types";

export type Holding = { token: Address; holder: Address };

/** The list is worth showing without them: these leave every balance unknown. */
const dispensable = [CallGasError, JobTimeoutError, QueueFullError];

/**
 * balanceOf of each pair at the head, in their order; undefined where the token gives no number, and for all of them
 * where the chain has no Multicall3 or no worker is free.
 */
export async function readTokenBalances(
  chain: Chain,
  multicall3: Address,
  pairs: readonly Holding[],
): Promise<(bigint | undefined)[]> {
  const none = pairs.map(() => undefined);
  const account = await chain.store.findAccount(multicall3.toLowerCase() as Address, chain.head().number);
  if (pairs.length === 0 || !account || account.codeHash === emptyCodeHash) return none;
  const calls = pairs.map(({ token, holder }) => ({
    target: token,
    allowFailure: true,
    callData: encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [holder] }),
  }));
  const input = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
  try {
    const { output, failure } = await callAt(chain, { call: { to: multicall3.toLowerCase() as Address, input } });
    if (failure) return none;
    const answers = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: output });
    return answers.map(({ success, returnData }) =>
      success && returnData.length === 66 ? BigInt(returnData) : undefined,
    );
  } catch (error) {
    if (dispensable.some((type) => error instanceof type)) return none;
    throw error;
  }
}
