/**
 * Tests that our node and the anvil program can load each other's state dumps, and that our node rejects damaged dumps.
 */
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { developer } from "@/server/rpc/testing/fixedChain";
import { sampleRuntime } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { type AnvilProcess, type RpcAnswer, startAnvilProcess } from "@/server/testing/anvilProcess";

let node: TestNode;
let anvil: AnvilProcess;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
  anvil = await startAnvilProcess(["--port", "0", "--chain-id", String(node.network.chainId), "--hardfork", "osaka"]);
});
afterEach(() => node.chain.devControls?.reset());
afterAll(async () => {
  await anvil?.stop();
  await node?.close();
});

type Tell = (method: string, params?: unknown[]) => Promise<unknown>;
const tellOurs: Tell = async (method, params = []) => {
  const { result, error } = (await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as RpcAnswer;
  if (error) throw new Error(error.message);
  return result;
};
const tellAnvil: Tell = (method, params) => anvil.tell(method, params);

const from = developer(2).address.toLowerCase();
const contract = "0x00000000000000000000000000000000000000cc";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

/** Changes an account and a slot, in one block for each of two transactions and an empty block. */
async function act(tell: Tell): Promise<void> {
  await tell("anvil_setCode", [contract, sampleRuntime]);
  await tell("anvil_setNonce", [contract, "0x7"]);
  for (const value of [42, 43]) {
    const hash = await tell("eth_sendTransaction", [{ from, to: contract, data: word(value) }]);
    // Anvil returns the hash before it mines.
    await expect.poll(() => tell("eth_getTransactionReceipt", [hash])).not.toBeNull();
  }
  await tell("evm_mine");
}

async function read(tell: Tell) {
  const { number, timestamp, baseFeePerGas } = (await tell("eth_getBlockByNumber", ["latest", false])) as {
    number: string;
    timestamp: string;
    baseFeePerGas: string;
  };
  return {
    number,
    timestamp,
    baseFeePerGas,
    nonces: [
      await tell("eth_getTransactionCount", [from, "latest"]),
      await tell("eth_getTransactionCount", [contract, "latest"]),
    ],
    balance: await tell("eth_getBalance", [from, "latest"]),
    code: await tell("eth_getCode", [contract, "latest"]),
    slot: await tell("eth_getStorageAt", [contract, "0x0", "latest"]),
  };
}

it("loads anvil's dump: accounts, block number, time and base fee", async () => {
  await act(tellAnvil);
  const dump = await tellAnvil("anvil_dumpState");
  expect(await tellOurs("anvil_loadState", [dump])).toBe(true);
  expect(await read(tellOurs)).toEqual(await read(tellAnvil));
  // Mines a block on top of the loaded state, and checks the new slot value and the block's timestamp.
  await tellOurs("eth_sendTransaction", [{ from, to: contract, data: word(44) }]);
  expect(await tellOurs("eth_getStorageAt", [contract, "0x0", "latest"])).toBe(word(44));
  const [parent, block] = await Promise.all(
    [node.chain.head().number - 1, node.chain.head().number].map((number) => node.chain.store.findBlock(number)),
  );
  expect(block!.header.timestamp).toBeGreaterThanOrEqual(parent!.header.timestamp);
});

it("makes a dump that anvil can load, with the latest blocks and receipts", async () => {
  await act(tellOurs);
  const hash = await tellOurs("eth_sendTransaction", [{ from, to: contract, data: word(45) }]);
  const dump = (await tellOurs("anvil_dumpState")) as string;
  expect(await tellAnvil("anvil_loadState", [dump])).toBe(true);
  const [theirs, ours] = await Promise.all([read(tellAnvil), read(tellOurs)]);
  expect(theirs).toEqual(ours);
  const receipts = (await Promise.all(
    [tellAnvil, tellOurs].map((tell) => tell("eth_getTransactionReceipt", [hash])),
  )) as { blockHash: string; logs: { data: string }[] }[];
  expect(receipts[0]!.blockHash).toBe(receipts[1]!.blockHash);
  expect(receipts[0]!.logs.map(({ data }) => data)).toEqual(receipts[1]!.logs.map(({ data }) => data));
  await tellAnvil("eth_sendTransaction", [{ from, to: contract, data: word(46) }]);
  // anvil may respond before it has mined the block.
  await expect.poll(() => tellAnvil("eth_getStorageAt", [contract, "0x0", "latest"])).toBe(word(46));
});

it("restores its own dump after a reset, including from uncompressed JSON", async () => {
  await act(tellOurs);
  const before = await read(tellOurs);
  const dump = (await tellOurs("anvil_dumpState")) as string;
  await tellOurs("anvil_reset");
  const json = gunzipSync(Buffer.from(dump.slice(2), "hex"));
  await tellOurs("anvil_loadState", [`0x${json.toString("hex")}`]);
  expect(await read(tellOurs)).toEqual(before);
});

it("keeps the larger nonce, and everything that the dump doesn't contain", async () => {
  await tellOurs("anvil_setNonce", [contract, "0x9"]);
  await tellOurs("anvil_setStorageAt", [contract, "0x5", word(5)]);
  const accounts = { [contract]: { nonce: 3, balance: "17", code: "0x", storage: { "0x1": word(1) } } };
  const dump = Buffer.from(JSON.stringify({ accounts })).toString("hex");
  await tellOurs("anvil_loadState", [`0x${dump}`]);
  expect(await tellOurs("eth_getTransactionCount", [contract, "latest"])).toBe("0x9");
  expect(await tellOurs("eth_getBalance", [contract, "latest"])).toBe("0x11");
  expect(await tellOurs("eth_getStorageAt", [contract, "0x5", "latest"])).toBe(word(5));
  expect(await tellOurs("eth_getStorageAt", [contract, "0x1", "latest"])).toBe(word(1));
});

it("rejects a damaged dump with the reason and changes nothing", async () => {
  const before = await read(tellOurs);
  const toHex = (text: string) => `0x${Buffer.from(text).toString("hex")}`;
  await expect(tellOurs("anvil_loadState", ["0x1f8b00"])).rejects.toThrow("The state is neither JSON nor gzipped JSON");
  await expect(tellOurs("anvil_loadState", [toHex("{}")])).rejects.toThrow(/not in anvil's format: accounts/);
  const wrong = { accounts: { [contract]: { nonce: 1, balance: "many" } } };
  await expect(tellOurs("anvil_loadState", [toHex(JSON.stringify(wrong))])).rejects.toThrow(/balance: expected a hex/);
  expect(await read(tellOurs)).toEqual(before);
});
