/** Tests Multicall3 and the CREATE2 deployer on a real EVM, with the accounts that they have in the genesis. */
import { concat, decodeFunctionResult, encodeFunctionData, getContractAddress, type Hex, pad, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { tokenAbi } from "@/lib/abi/token";
import { canonicalContracts } from "@/lib/contracts";
import plainArtifact from "@/server/contracts/artifacts/PlainToken.json" with { type: "json" };
import { listPredeploys } from "@/server/contracts/predeploys";
import { signTransfer } from "@/server/contracts/testing/authorization";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import {
  domain,
  payee,
  payer,
  relayer,
  startTokenChain,
  stranger,
  type TokenChain,
  token,
  tokenCall,
} from "@/server/contracts/testing/tokenChain";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

let chain: TokenChain;
beforeAll(async () => {
  chain = await startTokenChain();
  await placePredeploys(chain, 10143);
});
afterAll(() => chain.close());

type Result = { success: boolean; returnData: Hex };
const multicall = (functionName: string, args: readonly unknown[], value = 0n) =>
  ({
    address: canonicalContracts.multicall3 as Hex,
    abi: multicall3Abi,
    functionName,
    args,
    account: relayer,
    value,
  }) as const;
const balanceData = encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [payer.address] });
const failing = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [payee.address, 1n] });

it("places every predeploy at its address", async () => {
  for (const [address, account] of listPredeploys(canonicalContracts, 10143)) {
    expect(await chain.client.getCode({ address })).toBe(account.code);
    expect(address).toBe(address.toLowerCase());
  }
});

describe("Multicall3", () => {
  it("settles a batch of payments in one transaction and reports the one that fails", async () => {
    const now = await chain.now();
    const calls: { target: Hex; allowFailure: boolean; callData: Hex }[] = [];
    for (let index = 0; index < 5; index += 1) {
      const authorization = await chain.toAuthorization({ validBefore: index === 3 ? now - 1n : now + 1000n });
      const { from, to, value, validAfter, validBefore, nonce } = authorization;
      const callData = encodeFunctionData({
        abi: tokenAbi,
        functionName: "transferWithAuthorization",
        args: [from, to, value, validAfter, validBefore, nonce, await signTransfer(payer, domain, authorization)],
      });
      calls.push({ target: token, allowFailure: true, callData });
    }
    const results = (await chain.simulate(multicall("aggregate3", [calls]))) as Result[];
    expect(results.map(({ success }) => success)).toEqual([true, true, true, false, true]);
    const transfer = `Transfer(${payer.address},${payee.address},100)`;
    const events = await chain.send(multicall("aggregate3", [calls]), tokenAbi);
    expect(events.filter((event) => event === transfer)).toHaveLength(4);
    expect(await chain.balanceOf(payee.address)).toBe(400n);
  });

  it("returns results from every function, and reverts if a required call fails", async () => {
    const balance = await chain.balanceOf(payer.address);
    const call = { target: token, callData: balanceData };
    const bad = { target: token, callData: failing };
    const decode = (returnData: Hex | undefined) =>
      decodeFunctionResult({ abi: tokenAbi, functionName: "balanceOf", data: returnData ?? "0x" });
    const number = await chain.client.getBlockNumber({ cacheTime: 0 });

    const [aggregateBlock, data] = (await chain.simulate(multicall("aggregate", [[call]]))) as [bigint, Hex[]];
    expect(decode(data[0])).toBe(balance);
    expect(aggregateBlock).toBeGreaterThanOrEqual(number);
    const [tried, refused] = (await chain.simulate(multicall("tryAggregate", [false, [call, bad]]))) as Result[];
    expect(decode(tried?.returnData)).toBe(balance);
    expect(refused?.success).toBe(false);
    type InBlock = [bigint, Hex, Result[]];
    const [, triedHash, inBlock] = (await chain.simulate(
      multicall("tryBlockAndAggregate", [false, [call, bad]]),
    )) as InBlock;
    expect(triedHash).toBe(zeroHash);
    expect(inBlock.map(({ success }) => success)).toEqual([true, false]);
    const [, , required] = (await chain.simulate(multicall("blockAndAggregate", [[call]]))) as InBlock;
    expect(decode(required[0]?.returnData)).toBe(balance);

    const mustNot = "Multicall3: call failed";
    expect(await chain.findRevert(multicall("aggregate", [[bad]]))).toBe(mustNot);
    expect(await chain.findRevert(multicall("tryAggregate", [true, [bad]]))).toBe(mustNot);
    expect(await chain.findRevert(multicall("blockAndAggregate", [[bad]]))).toBe(mustNot);
    expect(await chain.findRevert(multicall("aggregate3", [[{ ...bad, allowFailure: false }]]))).toBe(mustNot);
  });

  it("forwards the full value", async () => {
    const give = (value: bigint) => ({ target: stranger.address, allowFailure: false, value, callData: "0x" as Hex });
    const before = await chain.client.getBalance({ address: stranger.address });
    await chain.send(multicall("aggregate3Value", [[give(2n), give(3n)]], 5n));
    expect(await chain.client.getBalance({ address: stranger.address })).toBe(before + 5n);
    expect(await chain.findRevert(multicall("aggregate3Value", [[give(2n)]], 3n))).toBe("Multicall3: value mismatch");
    expect(await chain.findRevert(multicall("aggregate3Value", [[give(4n)]], 3n))).toBe("Multicall3: call failed");
  });

  it("returns block values", async () => {
    const block = await chain.client.getBlock();
    const read = (functionName: string, ...args: unknown[]) =>
      chain.simulate(multicall(functionName, args), block.timestamp);
    expect(await read("getChainId")).toBe(10143n);
    expect(await read("getCurrentBlockTimestamp")).toBe(block.timestamp);
    expect(await read("getCurrentBlockGasLimit")).toBe(block.gasLimit);
    expect(String(await read("getCurrentBlockCoinbase")).toLowerCase()).toBe(block.miner.toLowerCase());
    expect(await read("getEthBalance", payee.address)).toBe(await chain.client.getBalance({ address: payee.address }));
    expect(await read("getBlockHash", block.number - 1n)).toBe(block.parentHash);
    const number = (await read("getBlockNumber")) as bigint;
    expect(await read("getLastBlockHash")).toBe(await read("getBlockHash", number - 1n));
  });

  it("serves viem's multicall", async () => {
    const [name, symbol] = await chain.client.multicall({
      contracts: [
        { address: token, abi: tokenAbi, functionName: "name" },
        { address: token, abi: tokenAbi, functionName: "symbol" },
      ],
      multicallAddress: canonicalContracts.multicall3,
      allowFailure: false,
    });
    expect([name, symbol]).toEqual(["USDC", "USDC"]);
  });
});

describe("the CREATE2 deployer", () => {
  // Init code that deploys one byte of code (STOP). The contract keeps the value that was sent.
  const initCode: Hex = "0x60016000f3";
  const salt = pad("0x2a");
  const address = getContractAddress({
    opcode: "CREATE2",
    from: canonicalContracts.create2Deployer,
    salt,
    bytecode: initCode,
  });
  const deploy = (data: Hex, value = 0n) =>
    chain.client.sendTransaction({
      account: relayer,
      to: canonicalContracts.create2Deployer,
      data,
      value,
      gas: 200_000n,
    });
  const statusOf = async (hash: Hex) => (await waitForReceipt(chain.client, hash)).status;

  it("returns the 20-byte address and deploys the code there with the value", async () => {
    const data = concat([salt, initCode]);
    const answer = await chain.client.call({ account: relayer, to: canonicalContracts.create2Deployer, data });
    expect(answer.data).toBe(address.toLowerCase());
    expect(await statusOf(await deploy(data, 3n))).toBe("success");
    expect(await chain.client.getCode({ address })).toBe("0x00");
    expect(await chain.client.getBalance({ address })).toBe(3n);
  });

  it("fails if the address is in use, the creation code reverts, or the salt is missing", async () => {
    expect(await statusOf(await deploy(concat([salt, initCode])))).toBe("reverted");
    expect(await statusOf(await deploy(concat([salt, "0x5f5ffd"])))).toBe("reverted");
    expect(await statusOf(await deploy("0x1234"))).toBe("reverted");
    expect(await statusOf(await deploy("0x"))).toBe("reverted");
  });

  it("gives each salt a different address, and deploys empty code if the creation code is empty", async () => {
    const other = pad("0x2b");
    const answer = await chain.client.call({ to: canonicalContracts.create2Deployer, data: concat([other, initCode]) });
    expect(answer.data).not.toBe(address.toLowerCase());
    expect(await statusOf(await deploy(other))).toBe("success");
    const empty = getContractAddress({
      opcode: "CREATE2",
      from: canonicalContracts.create2Deployer,
      salt: other,
      bytecode: "0x",
    });
    expect(await chain.client.getCode({ address: empty })).toBeUndefined();
  });

  it("deploys a token at the address derived from its creation code", async () => {
    const bytecode = plainArtifact.bytecode as Hex;
    const at = getContractAddress({ opcode: "CREATE2", from: canonicalContracts.create2Deployer, salt, bytecode });
    const data = concat([salt, bytecode]);
    await statusOf(
      await chain.client.sendTransaction({ account: relayer, to: canonicalContracts.create2Deployer, data }),
    );
    expect(await chain.simulate({ ...tokenCall("totalSupply", []), address: at })).toBe(0n);
  });
});
