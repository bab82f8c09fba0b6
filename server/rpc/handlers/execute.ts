/**
 * Runs calls without sending a transaction. A revert is an error with its revert data; an access list is returned even
 * if the call fails.
 */

import { toQuantity } from "@/lib/units";
import { callAt, createAccessListAt, estimateGasAt } from "@/server/chain/calls";
import { toQuery } from "@/server/rpc/callQuery";
import type { Handler } from "@/server/rpc/context";
import { toCallFailure } from "@/server/rpc/errors";

export const eth_call: Handler<"eth_call"> = async ({ chain }, call, block, stateOverrides, blockOverrides) => {
  const result = await callAt(chain, toQuery(call, block, { stateOverrides, blockOverrides }));
  if (result.failure) throw toCallFailure(result);
  return result.output;
};

export const eth_estimateGas: Handler<"eth_estimateGas"> = async ({ chain }, call, block, stateOverrides) => {
  const done = await estimateGasAt(chain, toQuery(call, block, { stateOverrides }));
  if ("result" in done) throw toCallFailure(done.result);
  return toQuantity(done.gas);
};

export const eth_createAccessList: Handler<"eth_createAccessList"> = async ({ chain }, call, block, stateOverrides) => {
  const { accessList, result } = await createAccessListAt(chain, toQuery(call, block, { stateOverrides }));
  const gasUsed = toQuantity(result.gasUsed);
  return result.failure ? { accessList, gasUsed, error: result.failure.message } : { accessList, gasUsed };
};
