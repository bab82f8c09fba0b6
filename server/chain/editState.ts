/** Changes the state at the head without adding a block. The next block builds on the changed state. */
import { alterChain } from "@/server/chain/head";
import { toNextBlockEnv } from "@/server/chain/producer/settings";
import type { Producer } from "@/server/chain/producer/state";
import { wakeProducer } from "@/server/chain/producer/triggers";
import type { StateEdit } from "@/server/ports/executor";

/** `timeoutMs` overrides the executor's time limit. */
export async function editState(producer: Producer, edits: StateEdit[], timeoutMs?: number): Promise<void> {
  const { spec, executor, head, settings } = producer;
  const edited = alterChain(head, async (header) => {
    const { number: block, stateRoot } = header;
    const env = toNextBlockEnv(settings, header);
    const job = { kind: "editState", spec, env, block, stateRoot, edits } as const;
    const { state, stateRoot: root } = await executor.run(job, { timeoutMs, store: head.store });
    await head.store.editState({ head: header, state, stateRoot: root });
    return { header, accounts: state.accounts };
  });
  // Wakes the producer whether or not the edit succeeded. After a success, a sender that couldn't pay before may be
  // able to. After a failure, the head must be confirmed.
  await edited.finally(() => wakeProducer(producer));
}
