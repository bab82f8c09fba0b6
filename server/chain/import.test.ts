/** Tests block imports: a public chain through every fork, and headers with one wrong field. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitRlp } from "@/lib/rlp";
import { importBlocks } from "@/server/chain/import";
import { openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { decodeBlock } from "@/server/ethereum/codec/block";
import { toHeader } from "@/server/ethereum/codec/header";
import { InvalidBlockError } from "@/server/ethereum/errors";
import { readGethGenesis } from "@/server/ethereum/gethGenesis";
import type { Block, Header } from "@/server/ethereum/types";

const suite = resolve(import.meta.dirname, "../../../shared/rpc-compat");

describe.skipIf(!existsSync(join(suite, "chain.rlp")))("a public chain (if ../shared/rpc-compat exists)", () => {
  it("is imported completely, from Frontier to the second blob parameter fork", async () => {
    const { spec, genesis } = readGethGenesis(JSON.parse(readFileSync(join(suite, "genesis.json"), "utf8")));
    const blocks = splitRlp(new Uint8Array(readFileSync(join(suite, "chain.rlp")))).map(decodeBlock);
    const test = await openTestChain({ spec, genesis });
    try {
      expect(await importBlocks(test.chain, blocks)).toBe(blocks.length);
      expect(test.chain.head().hash).toBe(blocks.at(-1)!.header.hash);
      // Importing the same blocks again adds nothing.
      expect(await importBlocks(test.chain, blocks)).toBe(0);
      const last = await test.chain.store.findBlock(blocks.length);
      expect(last?.transactions.map(({ hash }) => hash)).toEqual(blocks.at(-1)!.transactions.map(({ hash }) => hash));
    } finally {
      await test.close();
      removeFolder(test.folder);
    }
  });
});

describe("an imported block", () => {
  let source: TestChain;
  let target: TestChain;
  let block: Block;

  beforeAll(async () => {
    source = await openTestChain();
    target = await openTestChain();
    await source.mine(await source.sign(0, { nonce: 0, value: 1n }));
    block = (await source.chain.store.findBlock(1))!;
  });

  afterAll(async () => {
    for (const test of [source, target]) {
      await test.close();
      removeFolder(test.folder);
    }
  });

  const other = `0x${"ab".repeat(32)}` as const;
  it.each<[keyof Header, Partial<Header>]>([
    ["number", { number: 2 }],
    ["parentHash", { parentHash: other }],
    ["timestamp", { timestamp: 1 }],
    ["baseFeePerGas", { baseFeePerGas: 1n }],
    ["excessBlobGas", { excessBlobGas: 1n }],
    ["ommersHash", { ommersHash: other }],
    ["gasLimit", { gasLimit: 160_000_000n }],
    ["extraData", { extraData: `0x${"00".repeat(33)}` }],
    ["gasUsed", { gasUsed: 20_999n }],
    ["transactionsRoot", { transactionsRoot: other }],
    ["receiptsRoot", { receiptsRoot: other }],
    ["logsBloom", { logsBloom: `0x${"01".repeat(256)}` }],
    ["withdrawalsRoot", { withdrawalsRoot: other }],
    ["blobGasUsed", { blobGasUsed: 131_072n }],
    ["requestsHash", { requestsHash: other }],
    ["stateRoot", { stateRoot: other }],
  ])("is rejected if its %s is wrong", async (field, change) => {
    const { hash: _, ...fields } = block.header;
    const lying = { ...block, header: toHeader({ ...fields, ...change }) };
    await expect(importBlocks(target.chain, [lying])).rejects.toThrow(InvalidBlockError);
    await expect(importBlocks(target.chain, [lying])).rejects.toThrow(` has ${field} `);
    expect(target.chain.head().number).toBe(0);
  });

  it("is rejected if it contains an invalid transaction", async () => {
    const twice = { ...block, transactions: [...block.transactions, ...block.transactions] };
    await expect(importBlocks(target.chain, [twice])).rejects.toThrow(
      /^Block 1 contains an invalid transaction: nonce too low\.$/,
    );
  });

  it("is accepted if its header is correct", async () => {
    expect(await importBlocks(target.chain, [block])).toBe(1);
    expect(target.chain.head()).toEqual(source.chain.head());
  });
});
