/**
 * Whatever dev controls do to a chain, it mines the next transaction: after resending the same one in every way, and
 * after hundreds of random edits, sends, reverts and resets.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "@/server/ethereum/types";
import { developer } from "@/server/rpc/testing/fixedChain";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { createRandom } from "@/server/tools/seededRandom";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
});
afterAll(() => node?.close());

const ask = (method: string, ...params: unknown[]) => node.request({ method, params } as never) as Promise<unknown>;
const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;
const address = (index: number) => developer(index).address.toLowerCase() as Hex;
const fees = { maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 9n };

let sent = 0;
/** No two transfers are equal: each sends one wei more. */
async function signTransfer(index: number, nonce: number): Promise<Hex> {
  const { chainId } = node.network;
  const transfer = { chainId, type: "eip1559", to: address(9), gas: 21_000n, ...fees, nonce } as const;
  return developer(index).signTransaction({ ...transfer, value: BigInt(++sent) });
}

/** Throws unless a new transaction from the account is mined. */
async function assertMines(index: number): Promise<void> {
  const nonce = Number(await ask("eth_getTransactionCount", address(index), "latest"));
  const hash = (await ask("eth_sendRawTransaction", await signTransfer(index, nonce))) as Hex;
  if (!(await ask("anvil_getAutomine"))) await ask("evm_mine");
  const mined = await node.chain.waitForTransaction(hash, 120_000);
  expect(mined?.receipt.status, JSON.stringify(await ask("txpool_statusByHash", hash))).toBe(1);
}

describe("a transaction resent after its nonce was reset", () => {
  const call = {
    from: address(2),
    to: address(9),
    value: "0x1",
    gas: "0x5208",
    nonce: "0x0",
    maxFeePerGas: "0x174876e800",
    maxPriorityFeePerGas: "0x3b9aca00",
  };
  const rawOf = () =>
    developer(2).signTransaction({
      chainId: node.network.chainId,
      type: "eip1559",
      to: address(9),
      gas: 21_000n,
      ...fees,
      nonce: 0,
      value: 3n,
    });
  const ways: [string, () => Promise<unknown>][] = [
    ["eth_sendRawTransaction", async () => ask("eth_sendRawTransaction", await rawOf())],
    ["eth_sendRawTransactionSync", async () => ask("eth_sendRawTransactionSync", await rawOf())],
    ["eth_sendTransaction from a developer account", () => ask("eth_sendTransaction", call)],
    [
      "eth_sendTransaction from an impersonated account",
      async () => {
        await ask("anvil_impersonateAccount", address(2));
        return ask("eth_sendTransaction", call).finally(() => ask("anvil_stopImpersonatingAccount", address(2)));
      },
    ],
    ["eth_sendUnsignedTransaction", () => ask("eth_sendUnsignedTransaction", { ...call, value: "0x4" })],
  ];

  it.each(ways)("is already known, does no harm, and is mined again after evm_revert (%s)", async (_, send) => {
    await ask("anvil_reset");
    const snapshot = await ask("evm_snapshot");
    const sendMined = async () => {
      const answer = await send();
      const hash = typeof answer === "string" ? answer : (answer as { transactionHash: string }).transactionHash;
      expect(await node.chain.waitForTransaction(hash as Hex, 120_000)).toBeDefined();
      return hash;
    };
    const hash = await sendMined();
    await ask("anvil_setNonce", address(2), "0x0");
    await expect(send()).rejects.toMatchObject({ code: -32000, message: `already known: ${hash}` });
    await assertMines(3);
    await assertMines(2);
    expect(await ask("evm_revert", snapshot)).toBe(true);
    expect(await sendMined()).toBe(hash);
    await assertMines(3);
  });
});

/** Sends, some of which are rejected, and dev controls, in proportions that proved good at finding bugs. */
function createSteps(random: () => number): (() => Promise<unknown>)[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const raws: Hex[] = [];
  const snapshots: unknown[] = [];
  const anybody = () => address(below(8));
  const send = async () => {
    const index = below(8);
    const nonce = Number(await ask("eth_getTransactionCount", address(index), "pending")) + (below(6) === 0 ? 1 : 0);
    const raw = await signTransfer(index, nonce);
    raws.push(raw);
    return ask("eth_sendRawTransaction", raw);
  };
  const sendAgain = async () => raws.length > 0 && ask("eth_sendRawTransaction", raws[below(raws.length)]);
  const sendFrom = () => ask("eth_sendTransaction", { from: anybody(), to: address(9), value: toQuantity(below(3)) });
  const sendAs = () =>
    ask("eth_sendUnsignedTransaction", { from: anybody(), to: address(9), value: "0x0", gas: "0x5208" });
  const setBack = async () => {
    const account = anybody();
    const nonce = Number(await ask("eth_getTransactionCount", account, "latest"));
    return ask("anvil_setNonce", account, toQuantity(Math.max(0, nonce - below(4))));
  };
  return [
    send,
    send,
    send,
    send,
    sendAgain,
    sendAgain,
    sendAgain,
    sendFrom,
    sendFrom,
    sendAs,
    setBack,
    setBack,
    setBack,
    // Possibly the next transaction's account too.
    () => ask("anvil_setNonce", address(8), toQuantity(below(5))),
    () => ask("anvil_setNonce", anybody(), toQuantity(below(20))),
    () => ask("anvil_setBalance", anybody(), toQuantity(below(2) === 0 ? 0n : 10n ** 21n)),
    () => ask("anvil_setCode", anybody(), below(2) === 0 ? "0x" : "0x60006000fd"),
    () => ask("evm_mine"),
    () => ask("anvil_mine", toQuantity(1 + below(3)), "0x2"),
    () => ask("evm_setAutomine", below(2) === 0),
    async () => snapshots.push(await ask("evm_snapshot")),
    async () => snapshots.push(await ask("evm_snapshot")),
    () => ask("evm_revert", snapshots[below(snapshots.length)] ?? "0x0"),
    () => ask("evm_revert", snapshots.at(-1) ?? "0x0"),
    () => (below(4) === 0 ? ask("anvil_reset") : Promise.resolve()),
    () => ask("evm_increaseTime", toQuantity(below(100))),
    () => ask("evm_setNextBlockTimestamp", node.chain.head().timestamp + below(1_000)),
    () => ask("anvil_setBlockTimestampInterval", below(10)),
    () => ask("anvil_removeBlockTimestampInterval"),
    () => ask("anvil_setNextBlockBaseFeePerGas", toQuantity(below(10 ** 12))),
    () => ask("evm_setBlockGasLimit", toQuantity(1_000_000 + below(10 ** 8))),
    () => ask("anvil_setCoinbase", anybody()),
    () => ask("anvil_dropAllTransactions"),
    async () => node.tick(below(5)),
  ];
}

it.each([1, 2, 3])("mines the next transaction after random steps (seed %i)", async (seed) => {
  await ask("anvil_reset");
  const random = createRandom(seed);
  const steps = createSteps(random);
  const isRefusal = (error: unknown) => {
    // Errors that callers get are fine; internal errors are not.
    if ((error as { code?: number }).code === -32603 || !("code" in (error as object))) throw error;
  };
  for (let round = 0; round < 60; round++) {
    // Concurrent steps interleave.
    const together = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      return steps[Math.floor(random() * steps.length)]!;
    });
    await Promise.all(together.map((step) => step().catch(isRefusal)));
    await assertMines(8);
  }
});
