/** eth_simulateV1: converts the executor's result to blocks that contain the outcome of each call. */
import type { RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { type SimulateQuery, simulateAt } from "@/server/chain/simulate";
import type { SimulateDone } from "@/server/ports/executor";
import { toRequest } from "@/server/rpc/callQuery";
import { encodeBlock, encodeLog, toMinedLog } from "@/server/rpc/encode";
import { toSimulatedFailure, toSimulationError } from "@/server/rpc/errors";
import { handlers } from "@/server/rpc/ports";

type SimulatedBlock = SimulateDone["blocks"][number];

export const simulateHandlers = handlers(["calls"], {
  eth_simulateV1: async ({ calls: source }, payload, block) => {
    const blocks = payload.blockStateCalls.map(({ calls = [], ...rest }): SimulateQuery["blocks"][number] => ({
      ...rest,
      calls: calls.map(toRequest),
    }));
    const validation = payload.validation ?? false;
    const traceTransfers = payload.traceTransfers ?? false;
    try {
      const made = await simulateAt(source, { blocks, block, validation, traceTransfers });
      return made.map((each) => encodeSimulated(each, payload.returnFullTransactions ?? false));
    } catch (error) {
      throw toSimulationError(error);
    }
  },
});

function encodeSimulated({ block, calls }: SimulatedBlock, full: boolean): RpcResult<"eth_simulateV1">[number] {
  const { hash, number, timestamp } = block.header;
  const place = { blockHash: hash, blockNumber: number, blockTimestamp: timestamp };
  return {
    ...encodeBlock(block, full),
    calls: calls.map((call, index) => ({
      status: call.failure ? "0x0" : "0x1",
      // If a call failed, its revert data is in its error instead.
      returnData: call.failure ? "0x" : call.output,
      gasUsed: toQuantity(call.gasUsed),
      maxUsedGas: toQuantity(call.maxUsedGas),
      logs: call.logs.map((log, position) =>
        encodeLog(toMinedLog(log, block.transactions[index]!, { ...place, index }, call.logIndices[position]!)),
      ),
      ...(call.failure ? { error: toSimulatedFailure(call) } : {}),
    })),
  };
}
