import { expect, test } from "vitest";
import { hasRpcCompat, importChain } from "@/server/execution/testing/rpcCompat";

test.skipIf(!hasRpcCompat)(
  "executes every block of a public chain to its header, in every fork, if ../shared/rpc-compat exists",
  async () => {
    let count = 0;
    const { blocks, genesis } = await importChain((block, executed) => {
      const { header } = block;
      const where = `block ${header.number}`;
      expect(executed.gasUsed, where).toBe(header.gasUsed);
      expect(executed.logsBloom, where).toBe(header.logsBloom);
      expect(executed.transactionsRoot, where).toBe(header.transactionsRoot);
      expect(executed.receiptsRoot, where).toBe(header.receiptsRoot);
      expect(executed.withdrawalsRoot, where).toBe(header.withdrawalsRoot);
      expect(executed.requestsHash, where).toBe(header.requestsHash);
      expect(executed.blobGasUsed, where).toBe(header.blobGasUsed);
      expect(executed.stateRoot, where).toBe(header.stateRoot);
      expect(executed.included).toEqual(block.transactions.map((_, index) => index));
      count++;
    });
    expect(blocks[0]!.header.parentHash).toBe(genesis.hash);
    expect(count).toBe(54);
  },
);
