/**
 * Replays the recorded exchanges from execution-apis on the chain that they were recorded on, which is imported block
 * by block. Skipped if the recordings are not beside the checkout.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitRlp } from "@/lib/rlp";
import { methods } from "@/lib/rpc/methods";
import { importBlocks } from "@/server/chain/import";
import { decodeBlock } from "@/server/ethereum/codec/block";
import { readGethGenesis } from "@/server/ethereum/gethGenesis";
import { findDifference, listRecordings } from "@/server/rpc/testing/exchanges";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const folder = join(import.meta.dirname, "../../../shared/rpc-compat");
const isPresent = existsSync(folder);

/** The recording node's gas limit, which affects the hashes of simulated blocks. */
const limits = { callGas: 50_000_000n };

describe.skipIf(!isPresent)("execution-apis recordings (if ../shared/rpc-compat exists)", () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await createTestNode({
      limits,
      profile: "ethereum",
      chain: readGethGenesis(JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8"))),
    });
    await importBlocks(node.chain, splitRlp(readFileSync(join(folder, "chain.rlp"))).map(decodeBlock));
  });
  afterAll(() => node?.close());

  const recordings = isPresent ? listRecordings(join(folder, "tests")) : [];
  it("exist beside the checkout", () => expect(recordings.length).toBeGreaterThan(0));
  const known = recordings.filter(({ method }) => method in methods);
  // Sending a transaction mines a block, so the cases that send one run last.
  const inOrder = known.toSorted((a, b) => Number(a.method.includes("send")) - Number(b.method.includes("send")));
  it.each(inOrder.map((recording) => [`${recording.method}/${recording.name}`, recording] as const))(
    "match for %s",
    async (_name, recording) => {
      for (const exchange of recording.exchanges) {
        const answer = (await node.post(exchange.text)) as { result?: unknown };
        expect(findDifference(recording, exchange, answer)).toBeUndefined();
      }
    },
  );
});
