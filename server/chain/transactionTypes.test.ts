/** Tests every transaction type in the pool and in blocks, with real blobs, proofs and delegations. */
import { hexToBytes, parseGwei, type TransactionSerializable } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, addresses, openTestChain, removeFolder, type TestChain } from "@/server/chain/testing/testChain";
import { toHex } from "@/server/ethereum/codec/bytes";
import { decodeNetworkTransaction, encodeNetworkTransaction } from "@/server/ethereum/codec/networkTransaction";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import type { Hex } from "@/server/ethereum/types";
import { toVersionedHash } from "@/server/evm/kzg";

let test: TestChain;
beforeAll(async () => {
  test = await openTestChain();
});
afterAll(async () => {
  await test.close();
  removeFolder(test.folder);
});

describe("types 0, 1 and 2", () => {
  it.each([
    [0, 0, "legacy"],
    [1, 1, "eip2930"],
    [2, 2, "eip1559"],
  ] as const)("mines type %d", async (type, nonce, name) => {
    const raw = await test.sign(0, { nonce, type: name, value: 1n } as {
      nonce: number;
    } & Partial<TransactionSerializable>);
    const mined = await test.mine(raw);
    expect(mined.transaction).toMatchObject({ type, from: addresses[0] });
    expect(mined.receipt).toMatchObject({ type, status: 1 });
    expect(mined.transaction.raw).toEqual(raw);
  });
});

describe("type 3", () => {
  // A blob for the constant polynomial 1. Its commitment is the generator of G1, and all its proofs are the point at
  // infinity.
  const blob: Hex = `0x${`${"00".repeat(31)}01`.repeat(4_096)}`;
  const generator = hexToBytes(
    "0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
  );
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
  const sidecar = {
    version: 1 as const,
    blobs: [hexToBytes(blob)],
    commitments: [generator],
    proofs: Array<Uint8Array>(128).fill(infinity),
  };

  /** A transaction with this blob and its cell proofs, in network encoding. */
  async function signBlob(nonce: number, change: Partial<TransactionSerializable> = {}) {
    const serialized = await accounts[1]!.signTransaction({
      type: "eip4844",
      chainId: 10143,
      nonce,
      to: addresses[2]!,
      gas: 21_000n,
      maxFeePerGas: parseGwei("10"),
      maxPriorityFeePerGas: parseGwei("1"),
      maxFeePerBlobGas: parseGwei("1"),
      blobVersionedHashes: [toVersionedHash(generator)],
      ...change,
    } as never);
    const transaction = decodeTransaction(hexToBytes(serialized));
    return { transaction, raw: encodeNetworkTransaction(transaction, sidecar) };
  }

  it("is mined without its blobs and pays the blob fee", async () => {
    const { raw, transaction } = await signBlob(0);
    const mined = await test.mine(raw);
    expect(mined.transaction.hash).toBe(transaction.hash);
    expect(mined.transaction.raw.length).toBeLessThan(300);
    expect(mined.receipt).toMatchObject({ type: 3, status: 1, blobGasUsed: 131_072n, blobGasPrice: 1n });
    const header = await test.chain.getHeader({ number: mined.blockNumber });
    expect(header).toMatchObject({ blobGasUsed: 131_072n });
    expect(await test.chain.store.listPool()).not.toContainEqual(expect.objectContaining({ hash: transaction.hash }));
  });

  it("is rejected without blobs, with an invalid proof, or if its sender cannot pay", async () => {
    const { transaction } = await signBlob(1);
    await expect(test.chain.submit(transaction.raw)).rejects.toThrow(
      /^blob transaction is invalid: its blobs are missing/,
    );
    const wrong = { ...sidecar, proofs: [generator, ...sidecar.proofs.slice(1)] };
    await expect(test.chain.submit(encodeNetworkTransaction(transaction, wrong))).rejects.toThrow(
      /^blob transaction is invalid/,
    );
    const dear = await signBlob(1, { maxFeePerBlobGas: 10n ** 18n } as never);
    await expect(test.chain.submit(dear.raw)).rejects.toThrow(/^insufficient funds/);
  });

  it("keeps its blobs across a restart while it is queued", async () => {
    const { raw, transaction } = await signBlob(2);
    await test.chain.submit(raw);
    await test.close();
    test = await openTestChain({ folder: test.folder });
    expect(test.chain.pool.findStatus(transaction.hash)).toMatchObject({ status: "queued" });
    const kept = (await test.chain.store.listPool()).find(({ hash }) => hash === transaction.hash);
    expect(decodeNetworkTransaction(kept!.raw).sidecar?.blobs.map(toHex)).toEqual([blob]);
    await test.mine(await test.sign(1, { nonce: 1 }));
    expect(await test.chain.waitForTransaction(transaction.hash, 120_000)).toMatchObject({ receipt: { status: 1 } });
  });
});

describe("type 4", () => {
  it("delegates an account, which can still send transactions", async () => {
    const target = `0x${"ca".repeat(20)}` as const;
    const authorization = await accounts[3]!.signAuthorization({ contractAddress: target, chainId: 10143, nonce: 0 });
    const raw = await test.sign(4, {
      nonce: 0,
      type: "eip7702",
      gas: 100_000n,
      authorizationList: [authorization],
    } as never);
    const mined = await test.mine(raw);
    expect(mined.receipt).toMatchObject({ type: 4, status: 1 });
    const account = await test.chain.store.findAccount(addresses[3]!, mined.blockNumber);
    const code = await test.chain.store.findCode(account!.codeHash);
    expect(toHex(code!)).toBe(`0xef0100${target.slice(2)}`);
    // The authorization used nonce 0 of the delegated account.
    await expect(test.chain.submit(await test.sign(3, { nonce: 0 }))).rejects.toThrow(/^nonce too low/);
    expect((await test.mine(await test.sign(3, { nonce: 1 }))).receipt.status).toBe(1);
  });

  it("releases a queued transaction if an authorization uses the missing nonce", async () => {
    const authorization = await accounts[5]!.signAuthorization({
      contractAddress: `0x${"ca".repeat(20)}`,
      chainId: 10143,
      nonce: 0,
    });
    // The transaction waits until the authorization has used nonce 0.
    const waiting = await test.chain.submit(await test.sign(5, { nonce: 1 }));
    expect(test.chain.pool.findStatus(waiting)?.status).toBe("queued");
    await test.mine(
      await test.sign(4, { nonce: 1, type: "eip7702", gas: 100_000n, authorizationList: [authorization] } as never),
    );
    expect(await test.chain.waitForTransaction(waiting, 120_000)).toMatchObject({ receipt: { status: 1 } });
  });

  it("that leaves another sender without balance makes the block drop that sender's transaction, with a reason", async () => {
    // The contract's runtime code sends the whole balance to the caller (PUSH0 x4, SELFBALANCE, CALLER, GAS, CALL).
    const data = "0x675f5f5f5f47335af15f5260086018f3";
    const deployed = await test.mine(await test.sign(6, { nonce: 0, to: null, data, gas: 100_000n } as never));
    const contractAddress = deployed.receipt.contractAddress!;
    const authorization = await accounts[7]!.signAuthorization({ contractAddress, chainId: 10143, nonce: 0 });
    await test.mine(
      await test.sign(6, { nonce: 1, type: "eip7702", gas: 100_000n, authorizationList: [authorization] } as never),
    );
    const [emptying, victim] = await Promise.all([
      test.sign(6, { nonce: 2, to: addresses[7]!, gas: 100_000n, maxPriorityFeePerGas: parseGwei("5") } as never),
      test.sign(7, { nonce: 1 }),
    ]);
    const [first, second] = await Promise.all([test.chain.submit(emptying), test.chain.submit(victim)]);
    expect(await test.chain.waitForTransaction(first, 120_000)).toMatchObject({ receipt: { status: 1 } });
    expect(test.chain.pool.findStatus(second)).toMatchObject({
      status: "dropped",
      reason: "insufficient funds for gas * price + value",
    });
    const kept = (await test.chain.store.listPool()).find(({ hash }) => hash === second);
    expect(kept).toMatchObject({ status: "dropped", reason: "insufficient funds for gas * price + value" });
  });
});
