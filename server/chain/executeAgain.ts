/**
 * Re-executes an existing block, for importers and for data that is derived from the chain. The results are neither
 * stored nor compared with the header.
 */
import { toBlockEnv } from "@/server/chain/blockEnv";
import { InvalidBlockError, isInvalidTransaction } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, Header } from "@/server/ethereum/types";
import type { ExecutedBlock, Executor } from "@/server/ports/executor";

const executionTimeoutMs = 600_000;

/** Runs a block's transactions on its parent's state. Throws InvalidBlockError if a transaction is invalid. */
export async function executeAgain(
  chain: { spec: ChainSpec; executor: Executor },
  parent: Header,
  block: Block,
): Promise<ExecutedBlock> {
  try {
    return await chain.executor.run(
      {
        kind: "executeBlock",
        spec: chain.spec,
        env: toBlockEnv(block.header),
        parent: parent.number,
        parentStateRoot: parent.stateRoot,
        transactions: block.transactions.map(({ raw, from }) => ({ raw, from })),
        ommers: block.ommers,
        ...(block.withdrawals ? { withdrawals: block.withdrawals } : {}),
        mode: "import",
        extraData: block.header.extraData,
      },
      { timeoutMs: executionTimeoutMs },
    );
  } catch (error) {
    if (!isInvalidTransaction(error)) throw error;
    const message = `Block ${block.header.number} contains an invalid transaction: ${error.message}.`;
    throw new InvalidBlockError(message, { cause: error });
  }
}
