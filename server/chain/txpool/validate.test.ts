/** Tests every rejection that needs no chain: starts from one valid transaction and makes each field wrong in turn. */
import { type Hex, hexToBytes, parseGwei, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { assertTransactionSize, assertWellFormed, type NextBlockFacts } from "@/server/chain/txpool/validate";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import type { Transaction } from "@/server/ethereum/types";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const to = `0x${"22".repeat(20)}` as const;
const atFork = (fork: ForkName): ChainSpec => ({
  chainId: 10143,
  forks: [{ fork, block: 0 }],
  blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477n } },
  fees: { charge: "used", baseFeeFloorWei: 0n, elasticity: 2n, changeDenominator: 8n },
  transactionGasCap: 16_777_216n,
  maxCodeSize: 24_576,
  maxInitCodeSize: 49_152,
  finalityLag: { safe: 0, finalized: 0 },
});
const osaka = atFork("osaka");
const next: NextBlockFacts = {
  number: 1,
  timestamp: 1,
  gasLimit: 150_000_000n,
  baseFeePerGas: parseGwei("1"),
  blobBaseFee: 5n,
};

async function sign(transaction: Partial<TransactionSerializable> = {}): Promise<Transaction> {
  const whole = {
    type: "eip1559",
    chainId: 10143,
    nonce: 0,
    to,
    gas: 21_000n,
    maxFeePerGas: parseGwei("2"),
    maxPriorityFeePerGas: 0n,
    ...transaction,
  } as TransactionSerializable;
  return decodeTransaction(hexToBytes(await account.signTransaction(whole)));
}

const legacy = { type: "legacy", maxFeePerGas: undefined, maxPriorityFeePerGas: undefined } as const;
const initCode = (bytes: number): Hex => `0x${"00".repeat(bytes)}`;
const authorization = {
  chainId: 10143,
  address: to,
  nonce: 0,
  r: `0x${"01".repeat(32)}`,
  s: `0x${"01".repeat(32)}`,
  yParity: 0,
} as const;

describe("assertWellFormed", () => {
  it("accepts a plain transfer of type 0, 1 or 2", async () => {
    for (const transaction of [
      await sign(),
      await sign({ ...legacy, gasPrice: parseGwei("1") } as Partial<TransactionSerializable>),
      await sign({ ...legacy, type: "eip2930", gasPrice: parseGwei("1") } as Partial<TransactionSerializable>),
      await sign({
        type: "eip7702",
        gas: 46_000n,
        authorizationList: [authorization],
      } as Partial<TransactionSerializable>),
    ]) {
      expect(() => assertWellFormed(transaction, osaka, next)).not.toThrow();
    }
  });

  it.each<[string, Partial<TransactionSerializable>, ChainSpec, RegExp]>([
    ["another chain", { chainId: 1 }, osaka, /^invalid chain id for signer: have 1, want 10143/],
    [
      "no replay protection",
      { ...legacy, chainId: undefined, gasPrice: parseGwei("1") } as Partial<TransactionSerializable>,
      osaka,
      /^only replay-protected \(EIP-155\) transactions allowed over RPC/,
    ],
    ["one gas too little", { gas: 20_999n }, osaka, /^intrinsic gas too low: have 20999, want 21000/],
    ["gas above the block", { gas: 150_000_001n }, osaka, /^exceeds block gas limit/],
    ["gas above the cap", { gas: 16_777_217n }, osaka, /^transaction gas limit too high/],
    [
      "a cap below the base fee",
      { maxFeePerGas: parseGwei("1") - 1n },
      osaka,
      /^max fee per gas less than block base fee/,
    ],
    ["a type before its fork", {}, atFork("berlin"), /^transaction type not supported: type 2 requires london/],
    ["too much init code", { to: null, data: initCode(49_153), gas: 10n ** 7n }, osaka, /^max initcode size exceeded/],
    [
      "no authorization",
      { type: "eip7702", gas: 46_000n, authorizationList: [] } as Partial<TransactionSerializable>,
      osaka,
      /^set code transaction is invalid: its authorization list is empty/,
    ],
  ])("rejects %s", async (_, change, spec, reason) => {
    const transaction = await sign(change);
    expect(() => assertWellFormed(transaction, spec, next)).toThrow(reason);
  });

  it("rejects a priority fee above the max fee, which signing libraries refuse to sign", async () => {
    const transaction = { ...(await sign()), maxPriorityFeePerGas: parseGwei("3") };
    expect(() => assertWellFormed(transaction, osaka, next)).toThrow(
      /^max priority fee per gas higher than max fee per gas/,
    );
  });

  it("checks the number, version and price of blobs", async () => {
    const base: Transaction = {
      ...(await sign()),
      type: 3,
      maxFeePerBlobGas: 5n,
      blobVersionedHashes: [`0x01${"00".repeat(31)}`],
    };
    const check = (change: Partial<Transaction>) => () => assertWellFormed({ ...base, ...change }, osaka, next);
    expect(check({})).not.toThrow();
    expect(check({ blobVersionedHashes: [] })).toThrow(/no blobs/);
    expect(check({ blobVersionedHashes: Array(7).fill(`0x01${"00".repeat(31)}`) })).toThrow(/7 blobs, limit 6/);
    expect(check({ blobVersionedHashes: [`0x02${"00".repeat(31)}`] })).toThrow(/unknown version/);
    expect(check({ maxFeePerBlobGas: 4n })).toThrow(/^max fee per blob gas less than block blob gas fee/);
  });

  it("does not compare fees while the base fee is unknown", async () => {
    const transaction = await sign({ maxFeePerGas: 0n });
    const { baseFeePerGas: _, blobBaseFee: __, ...rest } = next;
    expect(() => assertWellFormed(transaction, osaka, rest)).not.toThrow();
  });
});

describe("assertTransactionSize", () => {
  it("allows 128 KiB, and 1 MiB with blobs", () => {
    const bytes = (length: number, type: number) => new Uint8Array(length).fill(type, 0, 1);
    expect(() => assertTransactionSize(bytes(131_072, 2))).not.toThrow();
    expect(() => assertTransactionSize(bytes(131_073, 2))).toThrow(/^oversized data: 131073 bytes, limit 131072/);
    expect(() => assertTransactionSize(bytes(1_048_576, 3))).not.toThrow();
    expect(() => assertTransactionSize(bytes(1_048_577, 3))).toThrow(/^oversized data/);
  });
});

describe("intrinsicGas", () => {
  const at = { number: 1, timestamp: 1 };
  it.each<[string, ForkName, Parameters<typeof intrinsicGas>[2], bigint, bigint]>([
    ["a transfer", "osaka", { to, input: "0x" }, 21_000n, 21_000n],
    ["data before EIP-2028", "petersburg", { to, input: "0x0001" }, 21_000n + 4n + 68n, 0n],
    ["data and its floor (EIP-7623)", "prague", { to, input: "0x0001" }, 21_000n + 4n + 16n, 21_000n + 50n],
    ["a creation in Frontier", "frontier", { input: "0x" }, 21_000n, 0n],
    ["33 bytes of init code (EIP-3860)", "cancun", { input: initCode(33) }, 53_000n + 33n * 4n + 4n, 0n],
    [
      "an access list (EIP-2930)",
      "berlin",
      { to, input: "0x", accessList: [{ address: to, storageKeys: [`0x${"00".repeat(32)}`] }] },
      21_000n + 2_400n + 1_900n,
      0n,
    ],
    ["two authorizations (EIP-7702)", "prague", { to, input: "0x", authorizationList: [1, 2] }, 71_000n, 21_000n],
  ])("is correct for %s", (_, fork, call, intrinsic, floor) => {
    expect(intrinsicGas(atFork(fork), at, call)).toEqual({ intrinsic, floor });
  });
});
