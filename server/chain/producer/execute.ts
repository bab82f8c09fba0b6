/** Runs a draft's transactions on the state of its parent block. */
import type { Draft, Producer } from "@/server/chain/producer/state";
import { gather } from "@/server/ethereum/codec/bytes";
import { isForkActive } from "@/server/ethereum/forks";
import type { Hex } from "@/server/ethereum/types";
import type { ExecutedBlock } from "@/server/ports/executor";

/** Execution has its own time limit (`timeMs`), so this limit should only be exceeded if the database is slow. */
const timeoutMs = 120_000;
/** "tollscan" in ASCII. */
export const extraData: Hex = "0x746f6c6c7363616e";

export async function execute(
  { spec, executor, head, buildTimeMs, onConsole }: Producer,
  draft: Draft,
): Promise<ExecutedBlock> {
  const { parent, env, transactions } = draft;
  const raws = gather(transactions.map(({ raw }) => raw));
  return executor.run(
    {
      kind: "executeBlock",
      spec,
      env,
      parent: parent.number,
      parentStateRoot: parent.stateRoot,
      transactions: transactions.map(({ from }, index) => ({ raw: raws[index]!, from })),
      ommers: [],
      ...(isForkActive(spec, "shanghai", env) ? { withdrawals: [] } : {}),
      mode: "build",
      timeMs: buildTimeMs,
      extraData,
      ...(onConsole && { recordsConsole: true }),
    },
    { timeoutMs, store: head.store },
  );
}
