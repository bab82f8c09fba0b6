/** Tests that a real node bounds the total memory of its subscriptions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSubscriptions, type Subscriptions } from "@/server/rpc/subscriptions";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
let subscriptions: Subscriptions;

beforeAll(async () => {
  node = await createTestNode();
  subscriptions = createSubscriptions({ events: node.chain, dispatcher: node.dispatcher, perSession: 100 });
});
afterAll(async () => {
  subscriptions.close();
  await node.close();
});

function connect(address: string) {
  let answer: { result?: string; error?: { message: string } } = {};
  const session = subscriptions.open({ address }, (text) => {
    answer = JSON.parse(text);
  });
  return {
    ...session,
    async ask(method: string, params: unknown[]) {
      await session.receive(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
      return answer;
    },
  };
}

it("limits the addresses and topics per client and in total", async () => {
  const topics = new Array(1_000).fill(`0x${"11".repeat(32)}`);
  const addresses = new Array(1_000).fill(`0x${"22".repeat(20)}`);
  const filter = { address: addresses, topics: [topics, topics, topics, topics] };
  const [one, two] = [connect("192.0.2.1"), connect("192.0.2.1")];
  const { result: first } = await one.ask("eth_subscribe", ["logs", filter]);
  for (const each of [one, two, two]) expect((await each.ask("eth_subscribe", ["logs", filter])).result).toBeDefined();
  expect(await two.ask("eth_subscribe", ["logs", { address: addresses[0] }])).toMatchObject({
    error: {
      message:
        "The log subscriptions of a client can list at most 20000 addresses and topics in total: end a subscription first.",
    },
  });
  expect((await two.ask("eth_subscribe", ["logs"])).result).toBeDefined();
  expect((await one.ask("eth_unsubscribe", [first])).result).toBe(true);
  expect((await two.ask("eth_subscribe", ["logs", filter])).result).toBeDefined();

  const others = Array.from({ length: 9 }, (_, at) => connect(`198.51.100.${at}`));
  for (const other of others) {
    for (let count = 0; count < 4; count++) {
      expect((await other.ask("eth_subscribe", ["logs", filter])).result).toBeDefined();
    }
  }
  const late = connect("203.0.113.1");
  expect(await late.ask("eth_subscribe", ["logs", filter])).toMatchObject({
    error: {
      message:
        "The log subscriptions of all clients can list at most 200000 addresses and topics in total: end a subscription first.",
    },
  });
  two.close();
  expect((await late.ask("eth_subscribe", ["logs", filter])).result).toBeDefined();
});
