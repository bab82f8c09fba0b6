/**
 * Tests waiting for a receipt in the last block of a chain when that block arrives while the client is reading an
 * earlier block.
 */
import { createPublicClient, custom, type Hex } from "viem";
import { expect, it } from "vitest";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

const hash: Hex = `0x${"11".repeat(32)}`;

/**
 * Simulates a node that mines its last block after the client's first receipt request, and that is slow to return
 * blocks.
 */
function createNode() {
  let isMined = false;
  let isSeen = () => {};
  const seen = new Promise<void>((resolve) => {
    isSeen = resolve;
  });
  let looks = 0;
  return async ({ method }: { method: string }): Promise<unknown> => {
    switch (method) {
      case "eth_blockNumber":
        if (isMined) isSeen();
        return isMined ? "0x2" : "0x1";
      case "eth_getTransactionByHash":
        return { hash, blockNumber: null, nonce: "0x0", from: hash, type: "0x0", gas: "0x0", value: "0x0" };
      case "eth_getTransactionReceipt":
        // viem requests the receipt once before it watches for blocks.
        if (looks++ > 0) isMined = true;
        return looks > 2 ? { transactionHash: hash, blockNumber: "0x2", status: "0x1", logs: [] } : null;
      case "eth_getBlockByNumber":
        await seen;
        // Waits, so that the poll that has seen the last block can report it.
        await new Promise((resolve) => setImmediate(resolve));
        return { number: "0x1", transactions: [] };
      default:
        throw new Error(`Unexpected request for ${method}.`);
    }
  };
}

it("finds a receipt if the last block arrives while another block is read", async () => {
  const client = createPublicClient({ transport: custom({ request: createNode() }), pollingInterval: 1, cacheTime: 0 });
  expect(await waitForReceipt(client, hash)).toMatchObject({ status: "success", blockNumber: 2n });
});
