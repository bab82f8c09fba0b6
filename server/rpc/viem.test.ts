/** Tests the public and wallet actions of an unmodified viem over real HTTP. */
import {
  type Chain,
  createPublicClient,
  createWalletClient,
  getContractAddress,
  hexToBytes,
  http,
  multicall3Abi,
  type PublicClient,
  parseEther,
  rpcSchema,
  toBlobs,
  toHex,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { createRpcRequest } from "@/lib/rpc/client";
import { type RpcSchema, toViemChain } from "@/lib/rpc/viem";
import { createListener } from "@/server/http/listener";
import { developer } from "@/server/rpc/testing/fixedChain";
import { sampleInitCode, sampleRuntime, storedTopic } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

let node: TestNode;
let close: () => Promise<void>;
let url: string;
let chain: Chain;
let client: PublicClient;
let token: `0x${string}`;

beforeAll(async () => {
  node = await createTestNode();
  const listener = await createListener({
    port: 0,
    bodyBytes: 1_000_000,
    site: Promise.resolve({ findHandler: () => node.handler }),
  });
  close = listener.close;
  chain = toViemChain({ ...node.network, isLocal: true, publicChain: undefined }, `http://localhost:${listener.port}`);
  url = `http://localhost:${listener.port}/api/rpc/testnet`;
  client = createPublicClient({ chain, transport: http(), pollingInterval: 20 });
  token = node.network.tokens[0]!.address;
});
afterAll(async () => {
  await close?.();
  await node?.close();
});

const wallet = (index: number) => createWalletClient({ account: developer(index), chain, transport: http() });
const recipient = developer(1).address;

describe("viem's public client", () => {
  it("reads chain ID, head and fees", async () => {
    expect(await client.getChainId()).toBe(node.network.chainId);
    const block = await client.getBlock();
    expect(block.number).toBe(await client.getBlockNumber({ cacheTime: 0 }));
    const fees = await client.estimateFeesPerGas();
    expect(fees.maxFeePerGas).toBeGreaterThan(block.baseFeePerGas ?? 0n);
    expect(await client.getGasPrice()).toBeGreaterThan(0n);
    expect(await client.getBlobBaseFee()).toBe(1n);
    const history = await client.getFeeHistory({ blockCount: 1, rewardPercentiles: [50] });
    expect(history.baseFeePerGas).toHaveLength(2);
  });

  it("reads accounts and contracts, with and without multicall", async () => {
    expect(await client.getBalance({ address: developer(4).address })).toBe(parseEther("10000"));
    expect(await client.getCode({ address: token })).toMatch(/^0x60/);
    const contract = { address: token, abi: tokenAbi } as const;
    expect(await client.readContract({ ...contract, functionName: "symbol" })).toBe("USDC");
    const results = await client.multicall({
      allowFailure: false,
      contracts: [
        { ...contract, functionName: "decimals" },
        { ...contract, functionName: "balanceOf", args: [developer(4).address] },
        {
          address: chain.contracts?.multicall3?.address as `0x${string}`,
          abi: multicall3Abi,
          functionName: "getCurrentBlockTimestamp",
        },
      ],
    });
    expect(results.slice(0, 2)).toEqual([6, 10_000_000_000n]);
    const proof = await client.getProof({ address: token, storageKeys: [`0x${"0".repeat(64)}`] });
    expect(proof.accountProof.length).toBeGreaterThan(0);
  });

  it("sends batches", async () => {
    const batching = createPublicClient({ chain, transport: http(url, { batch: true }) });
    const balances = await Promise.all([4, 5, 6].map((i) => batching.getBalance({ address: developer(i).address })));
    expect(balances).toEqual([parseEther("10000"), parseEther("10000"), parseEther("10000")]);
  });
});

describe("viem's wallet client", () => {
  it("prepares, signs and sends a transaction, and waits for it", async () => {
    const before = await client.getBalance({ address: recipient });
    const hash = await wallet(0).sendTransaction({ to: recipient, value: 7n });
    const receipt = await waitForReceipt(client, hash);
    expect(receipt).toMatchObject({ status: "success", gasUsed: 21_000n, type: "eip1559" });
    expect(await client.getBalance({ address: recipient })).toBe(before + 7n);
    const transaction = await client.getTransaction({ hash });
    expect(transaction).toMatchObject({ blockNumber: receipt.blockNumber, value: 7n, typeHex: "0x2" });
    // viem caches the block number for as long as it waits between two polls.
    await expect.poll(() => client.getTransactionConfirmations({ hash })).toBeGreaterThan(0n);
  });

  it("sends a transaction and gets its receipt in one call", async () => {
    const receipt = await wallet(0).sendTransactionSync({ to: recipient, value: 1n });
    expect(receipt.status).toBe("success");
  });

  it.each(["legacy", "eip2930", "eip1559"] as const)("sends a transaction of type %s", async (type) => {
    const receipt = await wallet(0).sendTransactionSync({ to: recipient, value: 1n, type } as never);
    expect(receipt).toMatchObject({ status: "success", type });
  });

  it("sends a blob transaction with one proof per blob, as a client's kzg library builds it", async () => {
    // The values that kzg-wasm computes for this blob.
    const kzg = {
      blobToKzgCommitment: () =>
        hexToBytes(
          "0xae12efaf29d515257ec892dfb5e65dcc47a66bf596cba75ccc652773fb7679421cf464e6dcb6f3cd402f25ac469905e7",
        ),
      computeBlobKzgProof: () =>
        hexToBytes(
          "0x977a6c71c4fee7d65614aa5dcb4b34d7fb3b2e7681f8f5d7e17e7e7170db85d9b1bc07a6595647769adf9eb3109950ba",
        ),
    };
    const request = {
      type: "eip4844",
      blobs: toBlobs({ data: toHex("hello from a blob") }),
      kzg,
      maxFeePerBlobGas: 10n,
      to: recipient,
    } as const;
    const hash = await wallet(9).sendTransaction(request);
    const receipt = await waitForReceipt(client, hash);
    expect(receipt).toMatchObject({ status: "success", type: "eip4844", blobGasUsed: 131_072n });
    expect(await wallet(9).sendTransactionSync(request)).toMatchObject({ status: "success", type: "eip4844" });
    const other = { ...request, blobs: toBlobs({ data: toHex("another blob") }) };
    await expect(wallet(9).sendTransaction(other)).rejects.toThrow("the proof of blob 0 is invalid");
  });

  it("delegates an account with EIP-7702", async () => {
    const account = developer(3);
    const authorization = await wallet(3).signAuthorization({ account, contractAddress: token, executor: "self" });
    const receipt = await wallet(3).sendTransactionSync({
      to: account.address,
      authorizationList: [authorization],
      data: "0x06fdde03",
    });
    expect(receipt.type).toBe("eip7702");
    expect((await client.getDelegation({ address: account.address }))?.toLowerCase()).toBe(token);
  });

  it("deploys, simulates, writes and reads logs", async () => {
    const nonce = await client.getTransactionCount({ address: developer(0).address });
    const created = await wallet(0).sendTransactionSync({ data: sampleInitCode });
    const address = created.contractAddress as `0x${string}`;
    expect(address).toBe(getContractAddress({ from: developer(0).address, nonce: BigInt(nonce) }).toLowerCase());
    expect(await client.getCode({ address })).toBe(sampleRuntime);
    const written = await wallet(0).sendTransactionSync({ to: address, data: `0x${"5".padStart(64, "0")}` });
    expect(written.logs).toMatchObject([{ address, topics: [storedTopic, expect.any(String)], logIndex: 0 }]);
    expect(await client.getStorageAt({ address, slot: "0x0" })).toBe(`0x${"5".padStart(64, "0")}`);
  });

  it("gets the revert reason from a call, an estimate and a simulation", async () => {
    const created = await wallet(0).sendTransactionSync({ data: sampleInitCode });
    const address = created.contractAddress as `0x${string}`;
    await expect(client.call({ to: address })).rejects.toThrow("empty");
    await expect(client.estimateGas({ to: address })).rejects.toThrow("empty");
    const args = [recipient, 10n ** 30n] as const;
    const transfer = { address: token, abi: tokenAbi, functionName: "transfer", args, account: developer(0) } as const;
    await expect(client.simulateContract(transfer)).rejects.toThrow(/exceeds balance|reverted/);
  });

  it("simulates blocks without mining them", async () => {
    const head = await client.getBlockNumber({ cacheTime: 0 });
    const sender = "0xc000000000000000000000000000000000000000";
    const [first, second] = await client.simulateBlocks({
      blocks: [
        { stateOverrides: [{ address: sender, balance: 5n }], calls: [{ account: sender, to: recipient, value: 5n }] },
        { calls: [{ to: token, abi: tokenAbi, functionName: "symbol" }] },
      ],
      traceTransfers: true,
    });
    expect(first).toMatchObject({ number: head + 1n, gasUsed: 21_000n });
    expect(first?.calls[0]).toMatchObject({ status: "success", logs: [{ logIndex: 0, blockNumber: head + 1n }] });
    expect(second?.calls[0]).toMatchObject({ status: "success", result: "USDC" });
    expect(second?.parentHash).toBe(first?.hash);
  });

  it("maps rejections to viem's error classes", async () => {
    const unfunded = createWalletClient({ account: developer(0), chain, transport: http() });
    await expect(unfunded.sendTransaction({ to: recipient, value: parseEther("99999999") })).rejects.toThrow(
      /exceeds the balance|insufficient funds/,
    );
    await expect(unfunded.sendTransaction({ to: recipient, nonce: 0, gas: 21_000n })).rejects.toThrow(/nonce/i);
  });
});

describe("viem's watchers", () => {
  it("follow blocks and events with filters and by polling", async () => {
    const filter = await client.createContractEventFilter({ address: token, abi: tokenAbi, eventName: "Transfer" });
    const blocks = await client.createBlockFilter();
    const pending = await client.createPendingTransactionFilter();
    const { request } = await client.simulateContract({
      address: token,
      abi: tokenAbi,
      functionName: "transfer",
      args: [recipient, 3n],
      account: developer(2),
    });
    const hash = await wallet(2).writeContract(request);
    await waitForReceipt(client, hash);
    const [event] = await client.getFilterChanges({ filter });
    expect(event?.args).toMatchObject({ value: 3n });
    expect(await client.getFilterChanges({ filter: blocks })).toHaveLength(1);
    expect(await client.getFilterChanges({ filter: pending })).toEqual([hash]);
    expect(await client.getFilterChanges({ filter })).toEqual([]);
    expect((await client.getFilterLogs({ filter })).at(-1)?.transactionHash).toBe(hash);
    expect(await client.uninstallFilter({ filter })).toBe(true);
    const logs = await client.getContractEvents({
      address: token,
      abi: tokenAbi,
      eventName: "Transfer",
      fromBlock: 0n,
    });
    expect(logs.map(({ transactionHash }) => transactionHash)).toContain(hash);
  });

  it("emit new blocks as they are mined", async () => {
    const seen: bigint[] = [];
    const stop = client.watchBlockNumber({ onBlockNumber: (number) => seen.push(number), emitOnBegin: true });
    const { blockNumber } = await wallet(2).sendTransactionSync({ to: recipient, value: 1n });
    await expect.poll(() => seen).toContain(blockNumber);
    stop();
  });
});

describe("our RPC types", () => {
  it("give viem every method", async () => {
    const typed = createPublicClient({ chain, transport: http(), rpcSchema: rpcSchema<RpcSchema>() });
    const { items } = await typed.request({ method: "explorer_getBlocks", params: [{ limit: 1 }] });
    expect(items[0]?.number).toBe(`0x${(await client.getBlockNumber({ cacheTime: 0 })).toString(16)}`);
  });

  it("give our client every method, and errors with a code and data", async () => {
    const request = createRpcRequest(url);
    const network = await request({ method: "explorer_getNetwork" });
    expect(network.name).toBe("testnet");
    await expect(request({ method: "eth_getBalance", params: ["0x12"] })).rejects.toMatchObject({
      name: "RpcError",
      code: -32602,
      data: { argument: 0 },
    });
    await expect(
      createRpcRequest(`${url}/nowhere`, async () => new Response("no"))({ method: "eth_chainId" }),
    ).rejects.toThrow("HTTP 200 without a JSON-RPC response");
  });
});
