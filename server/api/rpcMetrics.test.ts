/**
 * Tests JSON-RPC metrics: requests through the real dispatcher are counted by method and outcome, and no text from a
 * caller becomes a label.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetrics } from "@/server/api/metrics";
import { addRpcMetrics } from "@/server/api/rpcMetrics";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode();
});
afterAll(() => node?.close());

const call = (method: string, ...params: unknown[]) => ({ jsonrpc: "2.0", id: 1, method, params });

it("counts each request by method and outcome, including requests in a batch", async () => {
  await node.post(JSON.stringify(call("eth_chainId")));
  await node.post(JSON.stringify([call("eth_chainId"), call("eth_getBalance", "0x1"), call('made_up"} 1')]));
  // Errors from handlers are counted too, not only invalid params.
  await node.post(JSON.stringify(call("eth_sendRawTransaction", "0x01")));

  const metrics = createMetrics();
  addRpcMetrics(metrics, () => [{ network: "testnet", statistics: node.dispatcher.statistics }]);
  const text = await metrics.render();
  const at = (method: string, outcome: string) =>
    `tollscan_rpc_requests_total{network="testnet",method="${method}",outcome="${outcome}"}`;
  expect(text).toContain("# TYPE tollscan_rpc_requests_total counter\n");
  expect(
    text
      .split("\n")
      .filter((line) => line.startsWith("tollscan_"))
      .sort(),
  ).toEqual(
    [
      `${at("eth_chainId", "ok")} 2`,
      `${at("eth_chainId", "error")} 0`,
      `${at("eth_getBalance", "ok")} 0`,
      `${at("eth_getBalance", "error")} 1`,
      `${at("eth_sendRawTransaction", "ok")} 0`,
      `${at("eth_sendRawTransaction", "error")} 1`,
    ].sort(),
  );
});
