/**
 * Reads `balanceOf` for the lists of holders and holdings, which are computed from transfers. A balance may differ from
 * the sum of the transfers: a token may pay interest, charge fees or not log its transfers. A single Multicall3 call
 * reads a whole page.
 */
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { tokenAbi } from "@/lib/abi/token";
import { callAt } from "@/server/chain/calls";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findErrorCode } from "@/server/ethereum/errors";
import type { Address } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";

export type Holding = { token: Address; holder: Address };

/** After one of these errors, no balance is known, but the list is still worth showing. */
const dispensable: unknown[] = ["CALL_GAS", "JOB_TIMEOUT", "QUEUE_FULL"];

/**
 * Returns the result of `balanceOf` at the head for each pair, in order. If a token doesn't return a number, its entry
 * is undefined. If the chain has no Multicall3 or no worker is free, all entries are undefined.
 */
export async function readTokenBalances(
  source: CallSource,
  multicall3: Address,
  pairs: readonly Holding[],
): Promise<(bigint | undefined)[]> {
  const none = pairs.map(() => undefined);
  const account = await source.store.findAccount(multicall3.toLowerCase() as Address, source.head().number);
  if (pairs.length === 0 || !account || account.codeHash === emptyCodeHash) return none;
  const calls = pairs.map(({ token, holder }) => ({
    target: token,
    allowFailure: true,
    callData: encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [holder] }),
  }));
  const input = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [calls] });
  try {
    const { output, failure } = await callAt(source, { call: { to: multicall3.toLowerCase() as Address, input } });
    if (failure) return none;
    const answers = decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: output });
    return answers.map(({ success, returnData }) =>
      success && returnData.length === 66 ? BigInt(returnData) : undefined,
    );
  } catch (error) {
    if (dispensable.includes(findErrorCode(error))) return none;
    throw error;
  }
}
