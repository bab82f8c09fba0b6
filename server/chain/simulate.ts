/**
 * Prepares a simulation's blocks: their numbers, timestamps and all other values that are known before they run. Fills
 * gaps between block numbers with empty blocks.
 */
import { assertChainId, type BlockOverrides, type CallRequest } from "@/server/chain/calls";
import { isForkActive } from "@/server/ethereum/forks";
import type { BlockRef, Hash, Header, Withdrawal } from "@/server/ethereum/types";
import type { CallSource } from "@/server/ports/chain";
import type { SimulateDone, SimulatedBlock, StateOverrides } from "@/server/ports/executor";

type BlockStateCalls = {
  blockOverrides?: BlockOverrides & { withdrawals?: Withdrawal[] };
  stateOverrides?: StateOverrides;
  calls: CallRequest[];
};

export type SimulateQuery = {
  blocks: BlockStateCalls[];
  /** The block on which the first simulated block builds. */
  block: BlockRef;
  /** Whether nonces and fees must be valid. */
  validation: boolean;
  /** Whether native token transfers appear as logs. */
  traceTransfers: boolean;
};

/** Thrown if a block cannot follow the one before it. */
class InvalidSimulationError extends Error {
  override name = "InvalidSimulationError";
  readonly code: "number order" | "timestamp order" | "too many blocks";

  constructor(code: "number order" | "timestamp order" | "too many blocks", message: string) {
    super(message);
    this.code = code;
  }
}

/** The maximum number of blocks after the base block, including empty ones. The same as in geth. */
const maxBlocks = 256;
/** The default number of seconds between blocks. The same as in geth. */
const secondsPerBlock = 12;
const zeroHash: Hash = `0x${"00".repeat(32)}`;

/** Throws InvalidSimulationError, UnknownBlockError, or InvalidTransactionError if a call is invalid. */
export async function simulateAt(chain: CallSource, query: SimulateQuery): Promise<SimulateDone["blocks"]> {
  const chainVersion = chain.chainVersion();
  const parent = await chain.getHeader(query.block);
  for (const call of query.blocks.flatMap(({ calls }) => calls)) assertChainId(call, chain.spec);
  const { blocks } = await chain.executor.run(
    {
      kind: "simulate",
      spec: chain.spec,
      parent,
      at: { chainVersion, hash: parent.hash },
      blocks: layOut(chain, parent, query.blocks),
      validation: query.validation,
      traceTransfers: query.traceTransfers,
      gas: chain.callGas,
      traceBytes: chain.traceBytes,
    },
    { client: chain.client },
  );
  return blocks;
}

function layOut({ spec }: Pick<CallSource, "spec">, base: Header, wanted: BlockStateCalls[]): SimulatedBlock[] {
  const laidOut: SimulatedBlock[] = [];
  let { number, timestamp, gasLimit, coinbase } = base;
  const add = (block: BlockStateCalls) => {
    const { blockOverrides: overrides = {}, stateOverrides, calls } = block;
    number += 1;
    const time = overrides.time ?? timestamp + secondsPerBlock;
    if (time <= timestamp) {
      const why = `block timestamps must be in order: ${time} <= ${timestamp}`;
      throw new InvalidSimulationError("timestamp order", why);
    }
    timestamp = time;
    // These two overrides also apply to all later blocks.
    gasLimit = overrides.gasLimit ?? gasLimit;
    coinbase = overrides.feeRecipient ?? coinbase;
    const isMerged = isForkActive(spec, "paris", { number, timestamp });
    laidOut.push({
      number,
      timestamp,
      coinbase,
      gasLimit,
      difficulty: overrides.difficulty ?? (isMerged ? 0n : base.difficulty),
      prevRandao: overrides.prevRandao ?? zeroHash,
      ...(overrides.baseFeePerGas === undefined ? {} : { baseFeePerGas: overrides.baseFeePerGas }),
      ...(overrides.blobBaseFee === undefined ? {} : { blobBaseFee: overrides.blobBaseFee }),
      withdrawals: overrides.withdrawals ?? [],
      ...(stateOverrides ? { overrides: stateOverrides } : {}),
      calls,
    });
  };
  for (const block of wanted) {
    const target = block.blockOverrides?.number ?? number + 1;
    if (target <= number) {
      throw new InvalidSimulationError("number order", `block numbers must be in order: ${target} <= ${number}`);
    }
    if (target - base.number > maxBlocks) throw new InvalidSimulationError("too many blocks", "too many blocks");
    while (number + 1 < target) add({ calls: [] });
    add(block);
  }
  return laidOut;
}
