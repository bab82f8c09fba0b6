/** Tests search on a real chain: names, methods, prefixes, payments, and suggestions for typos. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, size, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import type { RpcResult } from "@/lib/rpc/methods";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import { type Lookups, search as searchIn } from "@/server/explorer/search";
import { listNames } from "@/server/node/listNames";
import type { PaymentRecord } from "@/server/ports/store";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
let hash: `0x${string}`;
const recipient = "0xfeedfacefeedfacefeedfacefeedfacefeedface";

beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
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

it("shows the name that pages show, with the one that was found", async () => {
  const names = listNames({ labels: {} }, node.network);
  const lookups = { listTokenNames: async () => [] } as Partial<Lookups> as Lookups;
  const list = async (text: string) => (await searchIn({ lookups, names, resources: [], methods: [] }, text)).items;
  const faucet = { kind: "address", id: getDevAccount(faucetIndex).address.toLowerCase() };
  expect(await list(`account ${faucetIndex}`)).toEqual([{ ...faucet, label: `Faucet (Account ${faucetIndex})` }]);
  expect(await list("faucet")).toEqual([{ ...faucet, label: "Faucet" }]);
});

it("says how many payments a transaction settled", async () => {
  const payment = {} as PaymentRecord;
  const payments = new Map([[hash, [payment, payment]]]);
  const { store } = node.chain;
  const listLabels = async (text: string, blockNumber?: number) => {
    const lookups = {
      findTransaction: async () => ({ blockNumber }),
      findBlockNumber: async () => undefined,
      listByPrefix: (kind, ...query) => store.listByPrefix(kind, ...query),
      findPaymentByIdentifier: async () => undefined,
      findPaymentByTransaction: async (transaction) => payments.get(transaction) ?? [],
      listTokenNames: async () => [],
    } as Partial<Lookups> as Lookups;
    const { items } = await searchIn({ lookups, names: [], resources: [], methods: [] }, text);
    return items.map(({ label }) => label);
  };
  expect(await listLabels(hash, 1)).toEqual(["Transaction with 2 payments in block 1"]);
  expect(await listLabels(hash.slice(0, 20))).toEqual(["Transaction with 2 payments in block 1"]);
  payments.set(hash, [payment]);
  expect(await listLabels(hash)).toEqual(["Pending transaction with a payment"]);
  payments.clear();
  expect(await listLabels(hash, 1)).toEqual(["Transaction in block 1"]);
});

it("finds paid resources by title and path, and suggests them for a typo", async () => {
  const digest = { kind: "resource", id: "/api/paid/block-digest?network=test", label: "Block digest" };
  expect((await search("digest")).items).toEqual([digest]);
  expect((await search("block-digest")).items).toEqual([digest]);
  expect((await search("blokc digest")).suggestions).toEqual([digest]);
});

it("finds functions of known contracts", async () => {
  expect(await find("transferwith")).toEqual([{ kind: "function", id: "transferWithAuthorization" }]);
});

it("finds methods that the network serves", async () => {
  expect((await find("eth_getBalance"))[0]).toEqual({ kind: "method", id: "eth_getBalance" });
  const found = (await search("block")).items.filter(({ kind }) => kind === "method");
  const areAliases = found.map(({ label }) => label.startsWith("Same as "));
  const aliases = areAliases.filter(Boolean).length;
  expect(aliases).toBeGreaterThan(0);
  expect(areAliases.indexOf(true)).toBe(found.length - aliases);
  const namespaces = found.slice(0, -aliases).map(({ id }) => id.split("_")[0]);
  expect(namespaces.lastIndexOf("evm") - namespaces.indexOf("evm")).toBe(
    namespaces.filter((each) => each === "evm").length - 1,
  );
  expect(await find("getbalance")).toContainEqual({ kind: "method", id: "eth_getBalance" });
  // An alias doesn't repeat the text of the method that it stands for.
  expect((await search("hardhat_impersonateAccount")).items[0]?.label).toBe("Same as anvil_impersonateAccount.");
});

it("finds transactions, addresses and blocks by their first digits", async () => {
  expect(await find(hash.slice(0, 14))).toEqual([{ kind: "transaction", id: hash }]);
  expect(await find("0xfeedface")).toContainEqual({ kind: "address", id: recipient });
  expect(await find("feedface")).toContainEqual({ kind: "address", id: recipient });
  const block = (await node.request({ method: "eth_getBlockByNumber", params: ["0x1", false] })) as { hash: string };
  expect(await find(block.hash.slice(0, 20))).toEqual([{ kind: "block", id: "1" }]);
});

it("finds hashes and addresses as lists shorten them", async () => {
  const shorten = (hex: string, ellipsis: string) => `${hex.slice(0, 6)}${ellipsis}${hex.slice(-4)}`;
  for (const ellipsis of ["…", "..."]) {
    expect(await find(shorten(hash, ellipsis))).toEqual([{ kind: "transaction", id: hash }]);
    expect(await find(shorten(recipient, ellipsis).slice(2))).toEqual([{ kind: "address", id: recipient }]);
  }
  const other = hash.endsWith("0000") ? "1111" : "0000";
  expect(await find(`${hash.slice(0, 6)}…${other}`)).toEqual([]);
});

it("suggests names for typos, and only if nothing matches", async () => {
  const mistyped = await search("uscd");
  expect(mistyped.items).toEqual([]);
  expect(mistyped.suggestions.map(({ label }) => label)).toEqual(["USDC token"]);
  expect((await search("eth_getBalence")).suggestions.map(({ id }) => id)).toEqual(["eth_getBalance"]);
  expect((await search("usdc")).suggestions).toEqual([]);
});

/** Init code that logs a transfer to the holder. The deployed code returns the given symbol and name. */
function toTokenCode(symbol: string, name: string): Hex {
  const [symbolData, nameData] = [symbol, name].map((text) => encodeAbiParameters([{ type: "string" }], [text]));
  const toReturn = (size: number, offset: number) =>
    concatHex(["0x61", toHex(size, { size: 2 }), "0x80", "0x61", toHex(offset, { size: 2 }), "0x5f39", "0x5ff3"]);
  const [symbolSize, nameSize] = [size(symbolData!), size(nameData!)];
  const codeSize = 33;
  const code = concatHex([
    "0x5f355f1a609514601557", // if the selector begins with 0x95, jump to the code for `symbol`
    toReturn(nameSize, codeSize + symbolSize),
    "0x5b",
    toReturn(symbolSize, codeSize),
    symbolData!,
    nameData!,
  ]);
  const transfer = keccak256(toHex("Transfer(address,address,uint256)"));
  const log = concatHex(["0x6103e85f52", "0x73", recipient, "0x5f", "0x7f", transfer, "0x60205fa3"]);
  const copy = concatHex([
    "0x61",
    toHex(size(code), { size: 2 }),
    "0x8061",
    toHex(size(log) + 11, { size: 2 }),
    "0x5f395ff3",
  ]);
  return concatHex([log, copy, code]);
}

it("finds tokens that a user deployed by symbol and name, without characters that hide or reorder text", async () => {
  const account = privateKeyToAccount(getDevAccount(1).privateKey);
  const deploy = async (symbol: string, name: string, nonce: number) => {
    const data = toTokenCode(symbol, name);
    const fields = { chainId: node.network.chainId, nonce, gas: 2_000_000n, maxFeePerGas: 10n ** 10n, value: 0n };
    const raw = await account.signTransaction({ ...fields, maxPriorityFeePerGas: 1n, data });
    const receipt = (await node.request({ method: "eth_sendRawTransactionSync", params: [raw] })) as {
      contractAddress: string;
      status: string;
    };
    expect(receipt.status).toBe("0x1");
    return receipt.contractAddress;
  };
  const snapshot = await node.request({ method: "evm_snapshot", params: [] });
  const coin = await deploy("ZORK", "Zorkmid", 0);
  expect((await search("zork")).items).toEqual([{ kind: "token", id: coin, label: "Zorkmid (ZORK)" }]);
  expect(await find("zorkmid")).toEqual([{ kind: "token", id: coin }]);
  expect((await search("zrok")).suggestions.map(({ id }) => id)).toEqual([coin]);

  const hostile = await deploy(`\u202eEVIL${"X".repeat(5_000)}`, "", 1);
  const [found] = (await search("evil")).items;
  expect(found).toEqual({ kind: "token", id: hostile, label: "EVILXXXXXXXXXXX… token" });
  // A token that imitates a configured token is listed after it.
  const fake = await deploy("USDC", "USDC", 2);
  expect((await find("usdc")).map(({ id }) => id)).toEqual([node.network.tokens[0]?.address.toLowerCase(), fake]);

  // A rollback removes the tokens. After that, a different token may be deployed at the same address.
  await node.request({ method: "evm_revert", params: [snapshot] });
  expect(await find("zork")).toEqual([]);
  expect(await deploy("QUUX", "Quuxcoin", 0)).toBe(coin);
  expect(await find("quux")).toEqual([{ kind: "token", id: coin }]);
  expect(await find("zork")).toEqual([]);
});

it.each(["", "0x", "zebra", "' or 1=1 --", "0x12345", "%"])("returns an answer for %j", async (text) => {
  expect((await search(text)).items.every(({ kind }) => kind !== "token")).toBe(true);
});
