/** The receipt of a transaction whose block comes while a client looks elsewhere, and no block after it. */
import { createPublicClient, custom, type Hex } from "viem";
import { expect, it } from "vitest";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

const hash: Hex = `0x${"11".repeat(32)}`;

/** A node whose next block, the last, comes once a receipt was looked for in vain; what blocks hold it answers late. */
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
        // The first look is the one before blocks are watched.
        if (looks++ > 0) isMined = true;
        return looks > 2 ? { transactionHash: hash, blockNumber: "0x2", status: "0x1", logs: [] } : null;
      case "eth_getBlockByNumber":
        await seen;
        // The poll that saw the block has told of it by then.
        await new Promise((resolve) => setImmediate(resolve));
        return { number: "0x1", transactions: [] };
      default:
        throw new Error(`${method} is not asked for.`);
    }
  };
}

it("is found although the last block came while another was read", async () => {
  const client = createPublicClient({ transport: custom({ request: createNode() }), pollingInterval: 1, cacheTime: 0 });
  expect(await waitForReceipt(client, hash)).toMatchObject({ status: "success", blockNumber: 2n });
});
