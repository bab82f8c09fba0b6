/** Tests the ots_ methods, and compares them with anvil on the same blocks. */
import { concatHex, hexToBytes, type TransactionSerializable } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, addresses } from "@/server/chain/testing/testChain";
import type { Address, Block, Hash, Hex } from "@/server/ethereum/types";
import { assemble, callTo } from "@/server/execution/testing/assemble";
import { type AnvilPeer, startAnvilPeer } from "@/server/rpc/testing/anvilPeer";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const sender = addresses[0]!;
const stranger: Address = `0x${"11".repeat(20)}`;
const unknownHash: Hash = `0x${"ab".repeat(32)}`;
/** Longer than a selector, to test that the methods return only the first four bytes. */
const input: Hex = "0x1122334455";

/** Returns creation code that deploys the runtime code. */
function toInitCode(runtime: Hex): Hex {
  const length = (runtime.length - 2) / 2;
  const copy = assemble(length, 12, 0, "CODECOPY", length, 0, "RETURN");
  const padding = "5b".repeat(12 - (copy.length - 2) / 2);
  return concatHex([copy, `0x${padding}`, runtime]);
}

/** Creates a contract without code, then sends 1 wei to a stranger. */
const factoryCode = assemble(0, 0, 0, "CREATE", "POP", ...callTo(stranger, 1), "POP", "STOP");
/** Reverts with one byte. */
const failingCode = assemble(1, 0, "REVERT");

let node: TestNode;
let anvil: AnvilPeer;
let factory: Address;
const hashes: Hash[][] = [];
const nonces = new Map<number, number>();

async function sign(account: number, fields: Partial<TransactionSerializable>): Promise<Hex> {
  const nonce = nonces.get(account) ?? 0;
  nonces.set(account, nonce + 1);
  return accounts[account]!.signTransaction({
    type: "eip1559",
    chainId: node.network.chainId,
    nonce,
    gas: 300_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
    ...fields,
  } as TransactionSerializable);
}

/** Mines one block with these transactions on both nodes. */
async function mine(...raws: Hex[]): Promise<void> {
  node.tick(2);
  await node.chain.devControls?.inTurn(async () => {
    node.chain.devControls?.setAutomatic(false);
    for (const raw of raws) await node.chain.submit(hexToBytes(raw));
    await node.chain.devControls?.mine(1, 1);
  });
  const block = await node.chain.store.findBlock(node.chain.head().number);
  hashes.push((block as Block).transactions.map(({ hash }) => hash));
  await anvil.follow(block as Block);
}

async function ask(method: string, ...params: unknown[]): Promise<unknown> {
  return node.request({ method: method as never, params: params as never });
}

async function askAnvil(method: string, ...params: unknown[]): Promise<unknown> {
  const { result, error } = await anvil.ask(method, params);
  if (error) throw new Error(error.message);
  return result;
}

beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
  const genesis = node.chain.head();
  const { chainId } = node.network;
  anvil = await startAnvilPeer({ chainId, timestamp: genesis.timestamp, gasLimit: genesis.gasLimit });
  await mine(await sign(0, { data: toInitCode(factoryCode) }));
  factory = (await node.chain.store.findTransaction(hashes[0]![0]!))!.receipt.contractAddress!;
  await mine(await sign(0, { to: factory, value: 5n, data: input }));
  await mine(await sign(0, { data: failingCode }));
  await mine(await sign(0, { to: stranger, value: 1n }), await sign(0, { to: stranger, value: 2n }));
  await mine(await sign(1, { to: stranger, value: 3n }));
}, 60_000);
afterAll(async () => {
  await anvil?.close();
  await node.close();
});

type Operation = { type: number; from: Address; to: Address; value: Hex };
type Entry = { type: string; depth: number };
type History = {
  txs: { hash: Hash }[];
  receipts: { transactionHash: Hash; timestamp: Hex }[];
  firstPage: boolean;
  lastPage: boolean;
};

const toComparable = ({ txs, receipts, firstPage, lastPage }: History) => ({
  txs: txs.map(({ hash }) => hash),
  receipts: receipts.map(({ transactionHash, timestamp }) => [transactionHash, timestamp]),
  firstPage,
  lastPage,
});

describe("the ots_ methods", () => {
  it.each<[string, () => unknown[]]>([
    ["ots_getApiLevel", () => []],
    ["ots_hasCode", () => [factory, "latest"]],
    ["ots_hasCode", () => [factory, 0]],
    ["ots_hasCode", () => [sender, "latest"]],
    ["ots_getTransactionBySenderAndNonce", () => [sender, 1]],
    ["ots_getTransactionBySenderAndNonce", () => [sender, 99]],
    ["ots_getContractCreator", () => [factory]],
    ["ots_getContractCreator", () => [sender]],
  ])("return what anvil returns for %s", async (method, toParams) => {
    const theirs = await askAnvil(method, ...toParams().map((param) => (param === 0 ? "0x0" : param)));
    expect(await ask(method, ...toParams())).toEqual(theirs);
  });

  it("trace every call and creation, with the calls that anvil lists", async () => {
    const hash = hashes[1]![0]!;
    const entries = (await ask("ots_traceTransaction", hash)) as Entry[];
    expect(entries.map(({ type, depth }) => [type, depth])).toEqual([
      ["CALL", 0],
      ["CREATE", 1],
      ["CALL", 1],
    ]);
    expect(entries.filter(({ type }) => type !== "CREATE")).toEqual(await askAnvil("ots_traceTransaction", hash));
  });

  it("list the operations inside a transaction, which anvil lists after the transaction's own", async () => {
    const hash = hashes[1]![0]!;
    const operations = (await ask("ots_getInternalOperations", hash)) as Operation[];
    expect(operations.map(({ type, value }) => [type, value])).toEqual([
      [2, "0x0"],
      [0, "0x1"],
    ]);
    expect(operations).toEqual(((await askAnvil("ots_getInternalOperations", hash)) as Operation[]).slice(1));
  });

  it("name the contract that created another", async () => {
    const [creation] = (await ask("ots_getInternalOperations", hashes[1]![0]!)) as Operation[];
    expect(await ask("ots_getContractCreator", creation!.to)).toEqual({ hash: hashes[1]![0], creator: factory });
  });

  it("return revert data, or 0x if a transaction succeeded", async () => {
    expect(await ask("ots_getTransactionError", hashes[2]![0]!)).toBe("0x00");
    expect(await ask("ots_getTransactionError", hashes[1]![0]!)).toBe("0x");
    for (const method of ["ots_getTransactionError", "ots_traceTransaction", "ots_getInternalOperations"]) {
      await expect(ask(method, unknownHash)).rejects.toThrow("transaction not found");
    }
  });

  it("describe a block by number or hash, with anvil's fees and issuance", async () => {
    type Details = { block: { number: Hex; transactionCount: number }; issuance: unknown; totalFees: Hex };
    const ours = (await ask("ots_getBlockDetails", 4)) as Details;
    const theirs = (await askAnvil("ots_getBlockDetails", 4)) as Details;
    expect(ours.block).toMatchObject({ number: "0x4", transactionCount: 2 });
    expect({ ...ours, block: 0 }).toEqual({ ...theirs, block: 0 });
    expect(Object.keys({ ...ours.block, totalDifficulty: 0 }).sort()).toEqual(Object.keys(theirs.block).sort());
    const { hash } = (await node.chain.store.findBlock(4))!.header;
    expect(await ask("ots_getBlockDetailsByHash", hash)).toEqual(ours);
    expect(await ask("ots_getBlockDetails", 99)).toBeNull();
    expect(await ask("ots_getBlockDetailsByHash", unknownHash)).toBeNull();
  });

  it("return a header for a block number in JSON, as Otterscan sends it", async () => {
    const { hash } = (await node.chain.store.findBlock(4))!.header;
    expect(await ask("erigon_getHeaderByNumber", 4)).toMatchObject({ number: "0x4", hash });
    expect(await ask("erigon_getHeaderByNumber", "0x4")).toMatchObject({ hash });
    expect(await ask("erigon_getHeaderByNumber", 99)).toBeNull();
  });

  it("page through a block's transactions from its end", async () => {
    type Page = { fullblock: { transactions: { hash: Hash }[]; transactionCount: number }; receipts: object[] };
    const read = async (page: number, size: number) => {
      const { fullblock, receipts } = (await ask("ots_getBlockTransactions", 4, page, size)) as Page;
      expect(fullblock.transactionCount).toBe(2);
      expect(receipts).toHaveLength(fullblock.transactions.length);
      return fullblock.transactions.map(({ hash }) => hash);
    };
    const [first, second] = hashes[3]!;
    expect(await read(0, 25)).toEqual([first, second]);
    expect(await read(0, 1)).toEqual([second]);
    expect(await read(1, 1)).toEqual([first]);
    expect(await read(2, 1)).toEqual([]);
    expect(await ask("ots_getBlockTransactions", 99, 0, 25)).toBeNull();
  });

  it("cut calldata to its selector and omit logs", async () => {
    expect(await ask("ots_getBlockTransactions", 2, 0, 25)).toMatchObject({
      fullblock: { transactions: [{ input: input.slice(0, 10) }] },
      receipts: [{ logs: null, logsBloom: null, transactionHash: hashes[1]![0] }],
    });
  });

  it.each([
    ["ots_searchTransactionsBefore", 0, 2],
    ["ots_searchTransactionsBefore", 4, 2],
    ["ots_searchTransactionsBefore", 3, 25],
    ["ots_searchTransactionsAfter", 0, 2],
    ["ots_searchTransactionsAfter", 2, 1],
  ])("find what anvil finds with %s from block %i, %i at a time", async (method, block, size) => {
    const ours = toComparable((await ask(method, sender, block, size)) as History);
    expect(ours).toEqual(toComparable((await askAnvil(method, sender, block, size)) as History));
  });

  it("never end a page within a block", async () => {
    const before = toComparable((await ask("ots_searchTransactionsBefore", sender, 0, 1)) as History);
    expect(before).toMatchObject({ txs: hashes[3]!.toReversed(), firstPage: true, lastPage: false });
    const after = toComparable((await ask("ots_searchTransactionsAfter", sender, 3, 1)) as History);
    expect(after).toMatchObject({ txs: hashes[3]!.toReversed(), firstPage: true, lastPage: false });
  });

  it("reject pages of more than 100 transactions", async () => {
    for (const size of [0, 101]) {
      await expect(ask("ots_searchTransactionsBefore", sender, 0, size)).rejects.toThrow("a page size from 1 to 100");
      await expect(ask("ots_getBlockTransactions", 1, 0, size)).rejects.toThrow("a page size from 1 to 100");
    }
  });

  it("accept block numbers beyond the head", async () => {
    const far = Number.MAX_SAFE_INTEGER;
    expect(((await ask("ots_searchTransactionsBefore", sender, far, 25)) as History).txs).toHaveLength(5);
    expect(await ask("ots_searchTransactionsAfter", sender, far, 25)).toEqual({
      txs: [],
      receipts: [],
      firstPage: true,
      lastPage: false,
    });
  });
});
