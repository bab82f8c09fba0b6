/** Tests the lists of holders and holdings for a token whose `balanceOf` differs from the sum of its transfers. */
import { concatHex, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getDevAccount } from "@/server/config/devAccounts";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const account = privateKeyToAccount(getDevAccount(0).privateKey);
const holder = account.address.toLowerCase();
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Logs a mint of 5 to its caller if called without data, and returns 7 for any other call. */
const runtime = concatHex(["0x3615600d5760075f5260205ff35b60055f52335f7f", transferTopic, "0x60205fa300"]);
const generous = concatHex(["0x603a8060095f395ff3", runtime]);

let node: TestNode;
let token: Hex;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
  const send = async (nonce: number, transaction: { to?: Hex; data?: Hex }) => {
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: node.network.chainId,
      nonce,
      gas: 500_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
      ...transaction,
    });
    const sent = await node.request({ method: "eth_sendRawTransactionSync", params: [raw, 10_000] });
    return sent as { contractAddress: Hex | null; status: Hex };
  };
  token = (await send(0, { data: generous })).contractAddress!;
  expect((await send(1, { to: token })).status).toBe("0x1");
});
afterAll(() => node?.close());

it("shows a holder's own balance even if it differs from the sum of transfers", async () => {
  const holders = await node.request({ method: "explorer_getHolders", params: [token] });
  expect(holders).toEqual({ items: [{ address: holder, amount: "0x5", balance: "0x7" }], next: null });
});

it("shows a holding's own balance, and the sum of transfers beside it", async () => {
  const { items } = (await node.request({ method: "explorer_getHoldings", params: [holder] })) as {
    items: { token: string; amount: string; balance: string | null }[];
  };
  const honest = node.network.tokens[0]!.address.toLowerCase();
  expect(items.find((row) => row.token === token)).toEqual({ token, amount: "0x5", balance: "0x7" });
  const row = items.find((each) => each.token === honest)!;
  expect(row.balance).toBe(row.amount);
});

it("also lists a known token whose balance no transfer explains, in the order of the pages", async () => {
  const known = node.network.tokens[0]!.address.toLowerCase();
  const from = `0x${"d1".repeat(20)}`;
  await node.request({ method: "anvil_dealERC20", params: [from, known, "0x9"] });
  await node.request({ method: "anvil_setBalance", params: [from, "0xde0b6b3a7640000"] });
  await node.request({ method: "anvil_impersonateAccount", params: [from] });
  // Mints the other token, with an event.
  await node.request({ method: "eth_sendTransaction", params: [{ from, to: token, gas: "0x30d40" }] });
  await node.request({ method: "evm_mine", params: [] });
  const rows = [
    { token: known, amount: "0x0", balance: "0x9" },
    { token, amount: "0x5", balance: "0x7" },
  ].sort((a, b) => (a.token < b.token ? -1 : 1));
  const read = async (page: object) =>
    (await node.request({ method: "explorer_getHoldings", params: [from, page] })) as {
      items: [];
      next: string | null;
    };
  expect(await read({})).toEqual({ items: rows, next: null });
  const { items, next } = await read({ limit: 1 });
  expect(items).toEqual(rows.slice(0, 1));
  expect(await read({ limit: 1, after: next })).toEqual({ items: rows.slice(1), next: null });
});

it("returns no holders for an address that isn't a token", async () => {
  const balances = await node.request({ method: "explorer_getHolders", params: [account.address] });
  expect(balances).toEqual({ items: [], next: null });
});
