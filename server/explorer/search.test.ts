/** Tests search on a real chain: names, methods, prefixes, payments, and suggestions for typos. */
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import type { RpcResult } from "@/lib/rpc/methods";
import { getDevAccount } from "@/server/config/devAccounts";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
let hash: `0x${string}`;
const recipient = "0xfeedfacefeedfacefeedfacefeedfacefeedface";

beforeAll(async () => {
  node = await createTestNode();
  const { chainId } = node.network;
  const account = privateKeyToAccount(getDevAccount(0).privateKey);
  const fields = { chainId, nonce: 0, gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, value: 1n };
  const raw = await account.signTransaction({ ...fields, to: recipient });
  const receipt = (await node.request({ method: "eth_sendRawTransactionSync", params: [raw] })) as {
    transactionHash: typeof hash;
  };
  hash = receipt.transactionHash;
});
afterAll(() => node.close());

const search = (text: string) =>
  node.request({ method: "explorer_search", params: [text] }) as Promise<RpcResult<"explorer_search">>;
const find = async (text: string) => (await search(text)).items.map(({ kind, id }) => ({ kind, id }));

it("finds tokens and contracts by name", async () => {
  const [token] = node.network.tokens;
  expect((await search("usdc")).items).toEqual([
    { kind: "token", id: token?.address.toLowerCase(), label: "USDC token" },
  ]);
  expect(await find("permit2")).toContainEqual({ kind: "address", id: canonicalContracts.permit2.toLowerCase() });
  expect(await find("entrypoint 0.7")).toHaveLength(1);
});

it("finds methods that the network serves", async () => {
  expect((await find("eth_getBalance"))[0]).toEqual({ kind: "method", id: "eth_getBalance" });
  expect(await find("getbalance")).toContainEqual({ kind: "method", id: "eth_getBalance" });
});

it("finds transactions, addresses and blocks by their first digits", async () => {
  expect(await find(hash.slice(0, 14))).toEqual([{ kind: "transaction", id: hash }]);
  expect(await find("0xfeedface")).toContainEqual({ kind: "address", id: recipient });
  expect(await find("feedface")).toContainEqual({ kind: "address", id: recipient });
  const block = (await node.request({ method: "eth_getBlockByNumber", params: ["0x1", false] })) as { hash: string };
  expect(await find(block.hash.slice(0, 20))).toEqual([{ kind: "block", id: "1" }]);
});

it("suggests names for typos, and only if nothing matches", async () => {
  const mistyped = await search("uscd");
  expect(mistyped.items).toEqual([]);
  expect(mistyped.suggestions.map(({ label }) => label)).toEqual(["USDC token"]);
  expect((await search("eth_getBalence")).suggestions.map(({ id }) => id)).toEqual(["eth_getBalance"]);
  expect((await search("usdc")).suggestions).toEqual([]);
});

it.each(["", "0x", "zebra", "' or 1=1 --", "0x12345", "%"])("returns an answer for %j", async (text) => {
  expect((await search(text)).items.every(({ kind }) => kind !== "token")).toBe(true);
});
