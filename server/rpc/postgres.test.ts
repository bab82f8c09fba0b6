/** Tests JSON-RPC on Postgres: every read-only method must return its recorded responses, as it does on SQLite. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDifference, listRecordings } from "@/server/rpc/testing/exchanges";
import { createFixedChain } from "@/server/rpc/testing/fixedChain";
import type { TestNode } from "@/server/rpc/testing/testNode";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";

/** Methods that extend the chain, or whose results depend on the process and its database. */
const others = /^(eth_sendRawTransaction|explorer_fund$|explorer_getNode)/;
const recordings = listRecordings(join(import.meta.dirname, "../testing/conformance")).filter(
  ({ method }) => !others.test(method),
);

let node: TestNode;
let remove: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  remove = database.remove;
  const location = { kind: "postgres" as const, url: database.url, schema: "tollscan_testnet", connections: 4 };
  node = await createFixedChain({ location });
}, 120_000);
afterAll(async () => {
  await node?.close();
  await remove?.();
});

describe("recorded exchanges on Postgres", () => {
  it.each(recordings.map((recording) => [`${recording.method}/${recording.name}`, recording] as const))(
    "match for %s",
    async (_name, recording) => {
      for (const exchange of recording.exchanges) {
        expect(findDifference(recording, exchange, (await node.post(exchange.text)) as never)).toBeUndefined();
      }
    },
  );
});
