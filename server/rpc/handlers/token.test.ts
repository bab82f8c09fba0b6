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
  node = await createTestNode();
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

it("returns no holders for an address that isn't a token", async () => {
  const balances = await node.request({ method: "explorer_getHolders", params: [account.address] });
  expect(balances).toEqual({ items: [], next: null });
});
