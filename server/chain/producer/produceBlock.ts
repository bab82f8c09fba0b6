/**
 * Produces one block: select, execute, seal, commit. Blocks are produced one at a time, and never while another change
 * to the head is in progress.
 */
import { confirmHead } from "@/server/chain/head";
import { commit } from "@/server/chain/producer/commit";
import { execute } from "@/server/chain/producer/execute";
import { seal } from "@/server/chain/producer/seal";
import { select } from "@/server/chain/producer/select";
import { toNextBlockEnv } from "@/server/chain/producer/settings";
import type { BlockRequest, Draft, Outcome, Producer, SealedBlock } from "@/server/chain/producer/state";

/** Never rejects. After a failure, the head has not moved, and recover.ts decides how to continue. */
export function produceBlock(producer: Producer, request: BlockRequest): Promise<Outcome> {
  return producer.head.inTurn(() => produce(producer, request));
}

async function produce(producer: Producer, request: BlockRequest): Promise<Outcome> {
  let draft: Draft | undefined;
  try {
    await confirmHead(producer.head);
    draft = createDraft(producer, request);
    const waitMs = select(producer, draft);
    if (waitMs !== 0) return { kind: "idle", waitMs };
    const executed = await execute(producer, draft);
    draft.step = "commit";
    const sealed = seal(draft, executed);
    if (isPointless(draft, sealed)) return await dropRejected(producer, draft, sealed);
    await commit(producer, sealed);
    return { kind: "committed" };
  } catch (error) {
    return { kind: "failed", error, transactions: draft?.transactions ?? [], step: draft?.step ?? "execute" };
  }
}

/** Builds the block that would be mined now, without committing it. */
export function previewBlock(producer: Producer): Promise<SealedBlock> {
  return producer.head.inTurn(async () => {
    await confirmHead(producer.head);
    const draft = createDraft(producer, { kind: "now", adjust: (env) => env });
    select(producer, draft);
    return seal(draft, await execute(producer, draft));
  });
}

/** Creates a draft of the block that follows the head. */
function createDraft({ head, settings }: Producer, request: BlockRequest): Draft {
  const parent = head.header;
  const env = toNextBlockEnv(settings, parent);
  const adjusted = request.kind === "now" ? request.adjust(env, parent) : env;
  return { request, parent, env: adjusted, transactions: [], step: "execute" };
}

/** Whether automatic mining must skip the block because it would include no transactions. */
function isPointless({ request, transactions }: Draft, { block }: SealedBlock): boolean {
  return request.kind === "due" && transactions.length > 0 && block.transactions.length === 0;
}

/**
 * Drops at least one transaction, because none could be included. Otherwise, the next attempt would give the same
 * block.
 */
async function dropRejected({ head }: Producer, draft: Draft, { rejected }: SealedBlock): Promise<Outcome> {
  const first = { hash: draft.transactions[0]!.hash, reason: "it could not be included, even in a block of its own" };
  head.pool.drop(rejected.length > 0 ? rejected : [first]);
  await head.pool.flush();
  return { kind: "rejected" };
}
