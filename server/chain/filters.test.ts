/** Tests filters on a chain that mines: the result of each poll, and the limits on filters. */
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFilters, type FilterLimits } from "@/server/chain/filters";
import { addresses, network, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import type { Hash } from "@/server/ethereum/types";

const coded = (code: string) => expect.objectContaining({ code });

let test: TestChain;
let nonce = 0;
const clock = { ms: 0 };
const token = network.tokens[0]!.address;
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const anyLogs = { range: { from: undefined, to: undefined }, addresses: undefined, topics: [] };

beforeAll(async () => {
  test = await openTestChain();
});
afterAll(async () => {
  await test.close();
  removeFolder(test.folder);
});

function setup(limits: Partial<FilterLimits> = {}) {
  return createFilters(
    test.chain,
    { total: 10, perClient: 5, results: 100, expiryMs: 1_000, ...limits },
    () => clock.ms,
  );
}

async function payToken(units: bigint) {
  const data = encodeFunctionData({
    abi: parseAbi(["function transfer(address to, uint256 amount)"]),
    args: [addresses[1]!, units],
  });
  return test.mine(await test.sign(0, { nonce: nonce++, to: token, data, gas: 100_000n } as never));
}

it("returns each new block, pending transaction and log once", async () => {
  const filters = setup();
  const blocks = filters.addBlocks("a");
  const pending = filters.addPending("a");
  const logs = filters.addLogs("a", { ...anyLogs, addresses: [token], topics: [[transferTopic]] });
  const others = filters.addLogs("a", { ...anyLogs, addresses: [addresses[3]!] });
  const mined = await payToken(7n);
  expect(await filters.changes(blocks)).toEqual({ kind: "blocks", hashes: [mined.blockHash] });
  expect(await filters.changes(pending)).toEqual({ kind: "pending", hashes: [mined.transaction.hash] });
  const found = await filters.changes(logs);
  expect(found).toMatchObject({ kind: "logs", logs: [{ address: token, transactionHash: mined.transaction.hash }] });
  expect(await filters.changes(others)).toEqual({ kind: "logs", logs: [], gone: [] });
  for (const id of [blocks, pending]) expect(await filters.changes(id)).toMatchObject({ hashes: [] });
  expect(await filters.changes(logs)).toEqual({ kind: "logs", logs: [], gone: [] });
  filters.close();
});

it("splits logs above the limit over several polls without losing any", async () => {
  const filters = setup({ results: 2 });
  const id = filters.addLogs("a", anyLogs);
  for (const units of [1n, 2n, 3n, 4n, 5n]) await payToken(units);
  const seen: string[] = [];
  for (let polls = 0; polls < 5; polls++) {
    const changes = await filters.changes(id);
    if (changes.kind === "logs") seen.push(...changes.logs.map(({ data }) => BigInt(data).toString()));
  }
  expect(seen).toEqual(["1", "2", "3", "4", "5"]);
  filters.close();
});

it("returns only logs within the filter's block range", async () => {
  const filters = setup();
  const after = test.chain.head().number + 2;
  const id = filters.addLogs("a", { ...anyLogs, range: { from: { number: after }, to: { number: after } } });
  for (const units of [1n, 2n, 3n]) await payToken(units);
  const changes = await filters.changes(id);
  expect(changes.kind === "logs" && changes.logs.map(({ blockNumber }) => blockNumber)).toEqual([after]);
  filters.close();
});

it("replaces the least recently polled filter of the client with the most filters if all are in use", async () => {
  const filters = setup({ total: 3, perClient: 3 });
  const [first, second, third] = [filters.addBlocks("a"), filters.addBlocks("a"), filters.addBlocks("a")];
  clock.ms += 1;
  for (const id of [first, third]) await filters.changes(id);
  const other = filters.addBlocks("b");
  await expect(filters.changes(second)).rejects.toThrow(coded("UNKNOWN_FILTER"));
  for (const id of [first, third, other]) expect(await filters.changes(id)).toMatchObject({ kind: "blocks" });
  filters.close();
});

it("counts every hundred addresses and topics as one more filter", () => {
  const filters = setup({ total: 6, perClient: 4 });
  const many = (count: number) => ({ ...anyLogs, topics: [new Array<Hash>(count).fill(transferTopic)] });
  const large = filters.addLogs("a", { ...many(99), addresses: new Array(101).fill(token) });
  expect(() => filters.addLogs("a", many(100))).toThrow(coded("TOO_MANY_CLIENT_FILTERS"));
  const small = filters.addLogs("a", many(99));
  expect(() => filters.addLogs("b", many(399))).toThrow(coded("TOO_MANY_FILTERS"));
  filters.addLogs("b", many(299));
  expect([filters.remove(large), filters.remove(small)]).toEqual([false, true]);
  filters.close();
});

it("limits filters per client and in total, and expires unused ones", async () => {
  const filters = setup({ total: 3, perClient: 2 });
  const first = filters.addBlocks("a");
  filters.addBlocks("a");
  expect(() => filters.addBlocks("a")).toThrow(coded("TOO_MANY_CLIENT_FILTERS"));
  filters.addBlocks("b");
  expect(() => filters.addBlocks("b")).toThrow(coded("TOO_MANY_FILTERS"));
  expect(filters.remove(first)).toBe(true);
  expect(filters.remove(first)).toBe(false);
  const second = filters.addPending("a");
  clock.ms += 999;
  await filters.changes(second);
  clock.ms += 999;
  await filters.changes(second);
  clock.ms += 1_000;
  await expect(filters.changes(second)).rejects.toThrow(coded("UNKNOWN_FILTER"));
  for (const client of ["x", "y", "z"]) filters.addBlocks(client);
  expect(() => filters.getLogFilter("0x00")).toThrow(coded("UNKNOWN_FILTER"));
  filters.close();
});
