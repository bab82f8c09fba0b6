/** Tests the faucet's limits per recipient and per caller, and its response when a token runs out. */
import { getAddress } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
});
afterAll(() => node?.close());

async function tell(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return JSON.parse((await node.dispatcher.dispatch(Buffer.from(body), { address: "192.0.2.9", mayControl: true }))!);
}

async function fund(recipient: number, address: string): Promise<string> {
  const to = `0x${String(recipient).padStart(40, "f")}`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "explorer_fund", params: [to] });
  const { error } = JSON.parse((await node.dispatcher.dispatch(Buffer.from(body), { address, mayControl: true }))!);
  return error ? error.message.replace(/\d+ s$/, "") : "funded";
}

it("does not count a refused call against the recipient", async () => {
  const recipients = Array.from({ length: 10 }, (_, at) => at);
  for (const recipient of recipients) expect(await fund(recipient, "192.0.2.1")).toBe("funded");
  expect(await fund(10, "192.0.2.1")).toBe("the faucet has reached its limit for this client: try again in ");
  expect(await fund(10, "192.0.2.2")).toBe("funded");
});

it("does not count a refused call against the caller", async () => {
  for (let times = 0; times < 10; times++) {
    expect(await fund(0, "192.0.2.3")).toBe("the faucet has just funded this recipient: try again in ");
  }
  expect(await fund(11, "192.0.2.3")).toBe("funded");
});

it("forgets recipients and callers after a minute", async () => {
  node.tick(61);
  expect(await fund(0, "192.0.2.1")).toBe("funded");
});

it("says which token it is out of and where to send it, and does not count the call", async () => {
  const faucet = getDevAccount(faucetIndex).address;
  const token = node.network.tokens[0]!.address;
  await tell("anvil_dealERC20", [faucet, token, "0x3dfd240"]);
  expect(await fund(12, "192.0.2.4")).toBe(
    `the faucet has only 65 USDC left and gives 100: send USDC to ${getAddress(faucet)}`,
  );
  await tell("anvil_dealERC20", [faucet, token, "0x5f5e100"]);
  expect(await fund(12, "192.0.2.4")).toBe("funded");
});
