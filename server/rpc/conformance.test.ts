/**
 * Compares every method's responses with responses that were recorded on the fixed chain. Set RECORD=1 to record them
 * again, then review the diff.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { methodList } from "@/lib/rpc/methods";
import { findDifference, listRecordings, type Recording, writeAnswers } from "@/server/rpc/testing/exchanges";
import { createFixedChain } from "@/server/rpc/testing/fixedChain";
import type { TestNode } from "@/server/rpc/testing/testNode";

/** These methods extend the chain, so they run last, in this order. */
const changing = ["eth_sendRawTransaction", "eth_sendRawTransactionSync", "explorer_fund"];
const isRecording = process.env.RECORD === "1";
const recordings = listRecordings(join(import.meta.dirname, "../testing/conformance")).toSorted(
  (a, b) => changing.indexOf(a.method) - changing.indexOf(b.method),
);

let node: TestNode;
beforeAll(async () => {
  node = await createFixedChain();
});
afterAll(() => node?.close());

/** Waits until a sent transaction is mined before the next case runs. */
async function settle(): Promise<void> {
  while (node.chain.pool.counts().pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function play(recording: Recording): Promise<void> {
  const answers: unknown[] = [];
  for (const exchange of recording.exchanges) {
    const answer = (await node.post(exchange.text)) as { result?: unknown };
    answers.push(answer);
    if (changing.includes(recording.method)) await settle();
    if (!isRecording) expect(findDifference(recording, exchange, answer)).toBeUndefined();
  }
  if (isRecording) writeAnswers(recording, answers);
}

describe("recorded exchanges", () => {
  it.each(recordings.map((recording) => [`${recording.method}/${recording.name}`, recording] as const))(
    "match for %s",
    (_name, recording) => play(recording),
  );
});

/** Dev controls need no recordings, because dev.test.ts compares them with anvil. */
it("has a recording for every method that the fixed chain serves", () => {
  const recorded = new Set(recordings.map(({ method }) => method));
  const answered = methodList.filter(({ requires }) => requires !== "devControls").map(({ name }) => name);
  expect(answered.filter((method) => !recorded.has(method))).toEqual([]);
});
