import { createHash } from "node:crypto";
import { hexToBytes, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { toBytes, toHex, toWord } from "@/server/ethereum/codec/bytes";
import { InvalidTransactionError, JobTimeoutError } from "@/server/ethereum/errors";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Address, GenesisAccount } from "@/server/ethereum/types";
import type { Stopwatch } from "@/server/evm/budget";
import { executeBlock } from "@/server/execution/executeBlock";
import { assemble } from "@/server/execution/testing/assemble";
import { bob, coinbase, createSandbox, type Sandbox } from "@/server/execution/testing/sandbox";
import type { ExecuteBlock } from "@/server/ports/executor";

const account = privateKeyToAccount(`0x${"44".repeat(32)}`);
const sender = account.address.toLowerCase() as Address;
const poor = privateKeyToAccount(`0x${"45".repeat(32)}`);
const spec = toEmbeddedSpec(31_337);
const oneGwei = 10n ** 9n;

function setUp(accounts: Record<Address, GenesisAccount> = {}, rules: ChainSpec = spec): Promise<Sandbox> {
  return createSandbox({ [sender]: { balance: 10n ** 20n }, ...accounts }, rules);
}

async function sign(fields: Partial<TransactionSerializable> & { nonce: number }, from = account): Promise<Uint8Array> {
  const defaults = { type: "eip1559", chainId: 31_337, gas: 21_000n, to: bob, value: 1n, maxFeePerGas: 2n * oneGwei };
  return hexToBytes(
    await from.signTransaction({ ...defaults, maxPriorityFeePerGas: 5n, ...fields } as TransactionSerializable),
  );
}

function toJob(sandbox: Sandbox, raws: Uint8Array[], more: Partial<ExecuteBlock> = {}): ExecuteBlock {
  return {
    kind: "executeBlock",
    spec: sandbox.spec,
    env: sandbox.env,
    parent: 0,
    parentStateRoot: sandbox.head.stateRoot,
    transactions: raws.map((raw) => ({ raw })),
    ommers: [],
    withdrawals: [],
    mode: "build",
    extraData: "0x",
    ...more,
  };
}

test("skips transactions that can't be included and says why, and importing the block gives the same result", async () => {
  const sandbox = await setUp();
  const raws = [
    await sign({ nonce: 0 }),
    await sign({ nonce: 5 }),
    await sign({ nonce: 0 }),
    await sign({ nonce: 1, chainId: 1 }),
    await sign({ nonce: 1, gas: 20_000n }),
    await sign({ nonce: 1, maxFeePerGas: 10n }),
    await sign({ nonce: 1, gas: 16_777_217n }),
    await sign({ nonce: 1, value: 10n ** 21n }),
    await sign({ nonce: 0 }, poor),
    await sign({ nonce: 1 }),
  ];
  const built = await executeBlock(toJob(sandbox, raws), sandbox.store);
  expect(built.included).toEqual([0, 9]);
  expect(built.rejected.map(({ index, reason }) => [index, reason])).toEqual([
    [1, "nonce too high"],
    [2, "nonce too low"],
    [3, "invalid chain id for signer"],
    [4, "intrinsic gas too low"],
    [5, "max fee per gas less than block base fee"],
    [6, "transaction gas limit too high"],
    [7, "insufficient funds for gas * price + value"],
    [8, "insufficient funds for gas * price + value"],
  ]);
  expect(built.gasUsed).toBe(42_000n);
  expect(built.receipts).toMatchObject([
    { status: 1, gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: oneGwei + 5n },
    { status: 1, gasUsed: 21_000n, cumulativeGasUsed: 42_000n, effectiveGasPrice: oneGwei + 5n },
  ]);
  const kept = built.included.map((index) => raws[index]!);
  const imported = await executeBlock(toJob(sandbox, kept, { mode: "import" }), sandbox.store);
  expect(imported).toEqual({ ...built, included: [0, 1], rejected: [] });
  const broken = executeBlock(toJob(sandbox, raws, { mode: "import" }), sandbox.store);
  await expect(broken).rejects.toThrow(new InvalidTransactionError("nonce too high", "nonce too high"));
});

test("a block never exceeds its gas limit", async () => {
  const sandbox = await setUp();
  const raws = [await sign({ nonce: 0 }), await sign({ nonce: 1 })];
  const env = { ...sandbox.env, gasLimit: 30_000n };
  const built = await executeBlock(toJob(sandbox, raws, { env }), sandbox.store);
  expect(built.rejected).toMatchObject([{ index: 1, reason: "gas limit reached" }]);
});

test("a transfer debits the sender, credits the recipient, pays the producer the tip and burns the base fee", async () => {
  const sandbox = await setUp();
  const built = await executeBlock(toJob(sandbox, [await sign({ nonce: 0, value: 7n })]), sandbox.store);
  const balances = Object.fromEntries(built.state.accounts.map(({ address, account }) => [address, account?.balance]));
  expect(balances).toEqual({
    [sender]: 10n ** 20n - 7n - 21_000n * (oneGwei + 5n),
    [bob]: 7n,
    [coinbase]: 21_000n * 5n,
  });
});

test("a chain whose spec charges the gas limit charges all of it", async () => {
  const sandbox = await setUp({}, { ...spec, fees: { ...spec.fees, charge: "limit" } });
  const built = await executeBlock(toJob(sandbox, [await sign({ nonce: 0, gas: 50_000n })]), sandbox.store);
  expect(built.receipts).toMatchObject([{ gasUsed: 50_000n, cumulativeGasUsed: 50_000n }]);
  const paid = built.state.accounts.find(({ address }) => address === sender)!.account!.balance;
  expect(paid).toBe(10n ** 20n - 1n - 50_000n * (oneGwei + 5n));
});

test("withdrawals credit their amounts in gwei and leave no empty account behind", async () => {
  const sandbox = await setUp();
  const empty: Address = `0x${"ee".repeat(20)}`;
  const withdrawals = [
    { index: 0n, validatorIndex: 1n, address: bob, amount: 3n },
    { index: 1n, validatorIndex: 1n, address: empty, amount: 0n },
  ];
  const built = await executeBlock(toJob(sandbox, [], { withdrawals }), sandbox.store);
  expect(built.state.accounts).toMatchObject([{ address: bob, account: { balance: 3n * oneGwei } }]);
});

test("only deposit events of the deposit contract become requests", async () => {
  const depositContract: Address = `0x${"de".repeat(20)}`;
  const sizes = [48, 32, 8, 96, 8];
  const fields = sizes.map((size, index) => new Uint8Array(size).fill(index + 1));
  const heads: string[] = [];
  let tail = "";
  for (const field of fields) {
    heads.push(toWord(BigInt(160 + tail.length / 2)).slice(2));
    const padded = toHex(field)
      .slice(2)
      .padEnd(Math.ceil(field.length / 32) * 64, "0");
    tail += toWord(BigInt(field.length)).slice(2) + padded;
  }
  // Code that logs its calldata, with the topic of deposits.
  const code = assemble(
    "CALLDATASIZE",
    0,
    0,
    "0x37",
    "0x7f649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5",
    "CALLDATASIZE",
    0,
    "LOG1",
  );
  const accounts = { [depositContract]: { balance: 0n, code }, [bob]: { balance: 0n, code } };
  const sandbox = await setUp(accounts, { ...spec, depositContract });
  const data = `0x${heads.join("")}${tail}` as const;
  const call = { data, gas: 200_000n, value: 0n };
  const raws = [await sign({ nonce: 0, to: bob, ...call }), await sign({ nonce: 1, to: depositContract, ...call })];
  const built = await executeBlock(toJob(sandbox, raws), sandbox.store);
  const sha256 = (...parts: Uint8Array[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
  const request = Buffer.concat(fields);
  expect(built.receipts.map(({ status }) => status)).toEqual([1, 1]);
  expect(built.requestsHash).toBe(toHex(sha256(sha256(Uint8Array.of(0), request))));
  const shortened = [await sign({ nonce: 0, to: depositContract, ...call, data: `${data}00` })];
  await expect(executeBlock(toJob(sandbox, shortened), sandbox.store)).rejects.toThrow("EIP-6110");
});

test("a signed delegation runs the delegate's code in the signer's account and can be revoked", async () => {
  const delegate: Address = `0x${"da".repeat(20)}`;
  const sandbox = await setUp({ [delegate]: { balance: 0n, code: assemble(42, 1, "SSTORE") } });
  const authorize = (nonce: number, contractAddress: Address) =>
    account.signAuthorization({ chainId: 31_337, nonce, contractAddress });
  const common = { type: "eip7702" as const, gas: 200_000n, to: sender, value: 0n };
  const set = await sign({ nonce: 0, ...common, authorizationList: [await authorize(1, delegate)] });
  const first = await executeBlock(toJob(sandbox, [set]), sandbox.store);
  expect(first.receipts).toMatchObject([{ type: 4, status: 1 }]);
  expect(first.state.storage).toEqual([{ address: sender, slot: toWord(1n), value: toWord(42n) }]);
  expect(first.state.codes.map(({ code }) => toHex(code))).toEqual([`0xef0100${delegate.slice(2)}`]);
  const zero: Address = `0x${"00".repeat(20)}`;
  const clear = await sign({ nonce: 2, ...common, authorizationList: [await authorize(3, zero)] });
  const second = await executeBlock(toJob(sandbox, [set, clear]), sandbox.store);
  const after = second.state.accounts.find(({ address }) => address === sender)!.account!;
  expect(after).toMatchObject({ nonce: 4n });
  expect(second.state.codes).toEqual([]);
});

test("bytes that are not a transaction make the job fail with the reason", async () => {
  const sandbox = await setUp();
  await expect(executeBlock(toJob(sandbox, [toBytes("0xc0")]), sandbox.store)).rejects.toThrow("fields instead of 9");
});

/** A clock that advances by one millisecond for every million gas that a run uses. */
function createGasClock(): Stopwatch {
  let spentMs = 0;
  let endMs = Number.POSITIVE_INFINITY;
  return {
    take() {
      if (++spentMs > endMs) throw new JobTimeoutError(endMs);
      return 1_000_000;
    },
    giveBack() {},
    spentMs: () => spentMs,
    limit(timeoutMs) {
      endMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : spentMs + timeoutMs;
    },
  };
}

test("a block ends at its time limit, and leaves the transaction that didn't fit to a later one", async () => {
  const sandbox = await setUp({ [bob]: { balance: 0n, code: "0x5b600056" } });
  const raws = await Promise.all([0, 1, 2].map((nonce) => sign({ nonce, gas: 10_000_000n })));
  const built = await executeBlock(toJob(sandbox, raws, { timeMs: 26 }), sandbox.store, createGasClock());
  expect(built).toMatchObject({ included: [0, 1], rejected: [] });
  const whole = await executeBlock(toJob(sandbox, raws, { timeMs: 60 }), sandbox.store, createGasClock());
  expect(whole).toMatchObject({ included: [0, 1, 2], rejected: [] });
});
