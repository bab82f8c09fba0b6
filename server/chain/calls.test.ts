/** Tests calls, estimates, access lists and traces on a real chain. */
import {
  decodeFunctionResult,
  encodeFunctionData,
  hexToBytes,
  keccak256,
  parseAbi,
  parseGwei,
  serializeTransaction,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAt, createAccessListAt, estimateGasAt, toCallMessage } from "@/server/chain/calls";
import { fillTransaction } from "@/server/chain/fillTransaction";
import {
  accounts,
  addresses,
  embeddedSpec,
  network,
  openTestChain,
  removeFolder,
  type TestChain,
} from "@/server/chain/testing/testChain";
import { traceBlockAt, traceCallAt, traceTransactionByHash } from "@/server/chain/traces";
import { toHex } from "@/server/ethereum/codec/bytes";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { MinedTransaction } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)",
]);
const token = network.tokens[0]!.address;
const [from, to] = [addresses[0]!, addresses[1]!];
const balanceOf = encodeFunctionData({ abi, functionName: "balanceOf", args: [to] });
const pay = (units: bigint) => encodeFunctionData({ abi, functionName: "transfer", args: [to, units] });
const tracer = { tracer: "callTracer", onlyTopCall: false, withLog: false } as const;
/** Code that returns the block's number: NUMBER PUSH0 MSTORE PUSH1 32 PUSH0 RETURN. */
const numberCode = "0x435f5260205ff3";

let test: TestChain;
let paid: MinedTransaction;

beforeAll(async () => {
  test = await openTestChain();
  paid = await test.mine(await test.sign(0, { nonce: 0, to: token, data: pay(5n), gas: 100_000n } as never));
});
afterAll(async () => {
  await test.close();
  removeFolder(test.folder);
});

const read = (output: `0x${string}`) => decodeFunctionResult({ abi, functionName: "balanceOf", data: output });

describe("callAt", () => {
  it("reads the state at the end of the requested block", async () => {
    const call = { to: token, input: balanceOf };
    const now = await callAt(test.chain, { call });
    const before = await callAt(test.chain, { call, block: { number: 0 } });
    expect(read(now.output) - read(before.output)).toBe(5n);
    await expect(callAt(test.chain, { call, block: { number: 99 } })).rejects.toThrow(UnknownBlockError);
  });

  it("returns a revert as a result and throws if the call cannot run", async () => {
    const reverted = await callAt(test.chain, { call: { from: addresses[9]!, to: token, input: pay(10n ** 30n) } });
    expect(reverted.failure).toMatchObject({ kind: "revert", message: "execution reverted" });
    await expect(callAt(test.chain, { call: { to, value: 1n, from: `0x${"77".repeat(20)}` } })).rejects.toThrow(
      /^insufficient funds for gas \* price \+ value/,
    );
  });

  it("applies state and block overrides", async () => {
    const stateOverrides = { [to]: { code: numberCode } } as const;
    const at = await callAt(test.chain, { call: { to }, stateOverrides });
    expect(BigInt(at.output)).toBe(1n);
    const overridden = await callAt(test.chain, { call: { to }, stateOverrides, blockOverrides: { number: 77 } });
    expect(BigInt(overridden.output)).toBe(77n);
  });

  it("charges fees only if the call sets them, and limits the gas to what the sender can pay", async () => {
    const poor = `0x${"66".repeat(20)}` as const;
    const free = await callAt(test.chain, { call: { from: poor, to } });
    expect(free.failure).toBeUndefined();
    const price = parseGwei("2");
    const paidFor = (balance: bigint) =>
      callAt(test.chain, { call: { from: poor, to, gasPrice: price }, stateOverrides: { [poor]: { balance } } });
    expect((await paidFor(21_000n * price)).gasUsed).toBe(21_000n);
    await expect(paidFor(21_000n * price - 1n)).rejects.toMatchObject({ code: "intrinsic gas too low" });
  });
});

describe("toCallMessage, which fills in a call", () => {
  const env = { number: 1, gasLimit: 30_000_000n, baseFeePerGas: 100n } as BlockEnv;
  const make = (request: Parameters<typeof toCallMessage>[0]) => toCallMessage(request, embeddedSpec, env, 50_000_000n);

  it("sets the sender, the value and the gas, and limits the gas", () => {
    expect(make({})).toMatchObject({ from: `0x${"00".repeat(20)}`, value: 0n, input: "0x", gas: 30_000_000n });
    expect(make({ gas: 10n ** 12n }).gas).toBe(30_000_000n);
    expect(make({ gas: 5n }).gas).toBe(5n);
  });

  it.each<[string, Parameters<typeof toCallMessage>[0], bigint]>([
    ["no fees", {}, 0n],
    ["fees of zero", { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, 0n],
    ["one price", { gasPrice: 150n }, 150n],
    ["a cap that binds", { maxFeePerGas: 105n, maxPriorityFeePerGas: 50n }, 105n],
    ["a tip that binds", { maxFeePerGas: 200n, maxPriorityFeePerGas: 50n }, 150n],
    ["a tip alone", { maxPriorityFeePerGas: 50n }, 150n],
  ])("computes the gas price for a call with %s", (_, request, gasPrice) => {
    expect(make(request).gasPrice).toBe(gasPrice);
  });

  it.each<[Parameters<typeof toCallMessage>[0], RegExp]>([
    [{ gasPrice: 99n }, /^max fee per gas less than block base fee/],
    [{ maxFeePerGas: 99n }, /^max fee per gas less than block base fee/],
    [{ maxFeePerGas: 200n, maxPriorityFeePerGas: 201n }, /^max priority fee per gas higher than max fee per gas/],
    [{ gasPrice: 1n, maxFeePerGas: 1n }, /^both gasPrice and/],
    [{ chainId: 1n }, /^invalid chain id for signer: have 1, want 10143/],
  ])("rejects the call %o", (request, reason) => {
    expect(() => make(request)).toThrow(reason);
  });
});

describe("a call with only a priority fee", () => {
  it("has a max fee that is high enough, as a transaction would", async () => {
    const call = { from, to, value: 1n, maxPriorityFeePerGas: 10n ** 9n };
    expect(await callAt(test.chain, { call })).toMatchObject({ output: "0x" });
    expect(await estimateGasAt(test.chain, { call })).toMatchObject({ gas: 21_000n });
  });
});

describe("estimateGasAt and createAccessListAt", () => {
  it("estimates the smallest gas limit with which the transaction succeeds", async () => {
    expect(await estimateGasAt(test.chain, { call: { from, to, value: 1n } })).toMatchObject({ gas: 21_000n });
    const estimated = await estimateGasAt(test.chain, { call: { from, to: token, input: pay(1n) } });
    if (!("gas" in estimated)) throw new Error("The call failed.");
    const call = { from, to: token, input: pay(1n) };
    expect((await callAt(test.chain, { call: { ...call, gas: estimated.gas } })).failure).toBeUndefined();
    expect((await callAt(test.chain, { call: { ...call, gas: estimated.gas - 1n } })).failure).toBeDefined();
    expect(
      await estimateGasAt(test.chain, { call: { from: addresses[9]!, to: token, input: pay(10n ** 30n) } }),
    ).toMatchObject({ result: { failure: { kind: "revert" } } });
  });

  it("estimates the gas of a transaction with an unknown sender as if the sender could pay", async () => {
    const priced = { to, value: 10n ** 18n, maxFeePerGas: 10n ** 10n };
    expect(await estimateGasAt(test.chain, { call: priced })).toMatchObject({ gas: 21_000n });
    expect(await estimateGasAt(test.chain, { call: { to, value: 1n } })).toMatchObject({ gas: 21_000n });
    const poor = { from: "0x00000000000000000000000000000000000000ef" as const, to, value: 1n };
    await expect(estimateGasAt(test.chain, { call: poor })).rejects.toThrow(/^insufficient funds/);
  });

  it("lists the slots that a token transfer touches", async () => {
    const { accessList, result } = await createAccessListAt(test.chain, { call: { from, to: token, input: pay(1n) } });
    expect(result.failure).toBeUndefined();
    expect(accessList.find(({ address }) => address === token)?.storageKeys.length).toBeGreaterThanOrEqual(2);
  });
});

describe("traces", () => {
  it("traces a mined transaction, its block, and a call", async () => {
    const traced = await traceTransactionByHash(test.chain, paid.transaction.hash, tracer);
    expect(JSON.parse(traced!.trace.json)).toMatchObject({
      type: "CALL",
      from,
      to: token,
      gasUsed: `0x${paid.receipt.gasUsed.toString(16)}`,
    });
    const block = await traceBlockAt(test.chain, { number: paid.blockNumber }, tracer);
    expect(block).toEqual([{ hash: paid.transaction.hash, trace: traced?.trace }]);
    expect(await traceBlockAt(test.chain, { number: 0 }, tracer)).toEqual([]);
    expect(await traceTransactionByHash(test.chain, `0x${"01".repeat(32)}`, tracer)).toBeUndefined();
    const called = await traceCallAt(test.chain, { call: { to: token, input: balanceOf }, tracer });
    expect(JSON.parse(called.trace.json)).toMatchObject({ type: "CALL", to: token, output: called.output });
  });
});

describe("fillTransaction", () => {
  it("fills in a transaction that its sender can sign and send unchanged", async () => {
    const filled = await fillTransaction({ ...test.chain, calls: test.chain }, { from: addresses[2]!, to, value: 1n });
    if (!("raw" in filled)) throw new Error("The call failed.");
    const { transaction } = filled;
    expect(transaction).toMatchObject({ type: 2, nonce: 0n, gas: 21_000n, chainId: 10143n, value: 1n });
    // viem must encode the same fields to the same payload.
    const unsigned = {
      type: "eip1559",
      chainId: 10143,
      nonce: 0,
      to,
      value: 1n,
      gas: transaction.gas,
      maxFeePerGas: transaction.maxFeePerGas!,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGas!,
    } as const;
    expect(toHex(filled.raw)).toBe(serializeTransaction(unsigned));
    const signature = await accounts[2]!.sign({ hash: keccak256(filled.raw) });
    const raw = serializeTransaction(unsigned, {
      r: signature.slice(0, 66) as `0x${string}`,
      s: `0x${signature.slice(66, 130)}`,
      yParity: Number.parseInt(signature.slice(130), 16) - 27,
    });
    expect((await test.mine(hexToBytes(raw))).receipt.status).toBe(1);
    expect(await fillTransaction({ ...test.chain, calls: test.chain }, { from: addresses[2]!, to })).toMatchObject({
      transaction: { nonce: 1n },
    });
  });

  it.each([
    ["legacy", { gasPrice: parseGwei("3") }, { type: "legacy", gasPrice: parseGwei("3") }],
    [
      "with an access list",
      { gasPrice: parseGwei("3"), accessList: [] },
      { type: "eip2930", gasPrice: parseGwei("3"), accessList: [] },
    ],
  ] as const)("encodes the unsigned payload of a transaction %s", async (_, fees, expected) => {
    const filled = await fillTransaction({ ...test.chain, calls: test.chain }, {
      from,
      to,
      nonce: 9n,
      gas: 30_000n,
      input: "0x01",
      ...fees,
    } as never);
    if (!("raw" in filled)) throw new Error("The call failed.");
    const same = { chainId: 10143, nonce: 9, gas: 30_000n, to, data: "0x01", ...expected } as never;
    expect(toHex(filled.raw)).toBe(serializeTransaction(same));
  });

  it("uses the next block's number and timestamp for a pending call", async () => {
    const timestamp = { code: "0x425f5260205ff3" } as const;
    const [latest, pending] = await Promise.all(
      (["latest", "pending"] as const).map(async (tag) => {
        const query = { call: { to: from }, block: { tag }, stateOverrides: { [from]: timestamp } };
        return Number((await callAt(test.chain, query)).output);
      }),
    );
    expect(latest).toBe(test.chain.head().timestamp);
    expect(pending).toBe(test.chain.nextEnv().timestamp);
  });

  it("returns the revert of a failing call, and rejects fields that don't fit together", async () => {
    const failing = await fillTransaction(
      { ...test.chain, calls: test.chain },
      { from, to: token, input: pay(10n ** 30n) },
    );
    expect(failing).toMatchObject({ result: { failure: { kind: "revert" } } });
    await expect(fillTransaction({ ...test.chain, calls: test.chain }, { to, chainId: 1n })).rejects.toThrow(
      /^invalid chain id/,
    );
    await expect(
      fillTransaction({ ...test.chain, calls: test.chain }, { from, to, maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }),
    ).rejects.toThrow(/^max priority fee per gas higher/);
  });
});
