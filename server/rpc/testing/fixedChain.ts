/**
 * The chain that the conformance cases were recorded on: one transaction per block, covering every type and outcome.
 * The chain's hashes depend only on this file and the genesis block, so record all cases again after you change this
 * file.
 */
import { encodeFunctionData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { tokenAbi } from "@/lib/abi/token";
import type { Limits } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import type { PaymentRecord, StoreLocation } from "@/server/ports/store";
import { sampleInitCode } from "@/server/rpc/testing/sampleContract";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

export const developer = (index: number) => privateKeyToAccount(getDevAccount(index).privateKey);

/** Created by the first developer account's fourth transaction. */
export const sampleAddress: Address = "0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9";

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export async function createFixedChain(options?: {
  limits?: Partial<Limits>;
  location?: StoreLocation;
}): Promise<TestNode> {
  const node = await createTestNode(options);
  const [sender, recipient, authority] = [developer(0), developer(1), developer(2)];
  const { chainId } = node.network;
  const token = node.network.tokens[0]!.address;
  const mine = async (raw: Promise<Hex>): Promise<Hash> => {
    node.tick(10);
    const hash = await node.chain.submit(toBytes(await raw));
    const mined = await node.chain.waitForTransaction(hash, 120_000);
    if (!mined) throw new Error(`Transaction ${hash} was not mined.`);
    return hash;
  };
  const transfer = encodeFunctionData({
    abi: tokenAbi,
    functionName: "transfer",
    args: [recipient.address, 1_500_000n],
  });
  const common = { chainId, gas: 300_000n } as const;
  const legacy = { ...common, type: "legacy", gasPrice: 5_000_000_000n } as const;
  const dynamic = { ...common, type: "eip1559", ...fees } as const;

  await mine(sender.signTransaction({ ...dynamic, nonce: 0, gas: 21_000n, to: recipient.address, value: 10n ** 18n }));
  await mine(sender.signTransaction({ ...legacy, nonce: 1, to: recipient.address, value: 1n, data: "0xc0ffee" }));
  const accessList = [{ address: token, storageKeys: [word(0)] }];
  const listed = { ...common, type: "eip2930", gasPrice: 5_000_000_000n } as const;
  const paid = await mine(sender.signTransaction({ ...listed, nonce: 2, to: token, data: transfer, accessList }));
  await mine(sender.signTransaction({ ...dynamic, nonce: 3, data: sampleInitCode }));
  await mine(sender.signTransaction({ ...dynamic, nonce: 4, to: sampleAddress, data: word(7) }));
  // The contract reverts because the call has no input.
  await mine(sender.signTransaction({ ...dynamic, nonce: 5, to: sampleAddress }));
  const authorization = await authority.signAuthorization({ contractAddress: sampleAddress, chainId, nonce: 0 });
  await mine(
    sender.signTransaction({
      ...common,
      type: "eip7702",
      ...fees,
      nonce: 6,
      to: authority.address,
      data: word(9),
      authorizationList: [authorization],
    }),
  );
  await node.chain.store.changePayments(listPayments(paid, token));
  // Leaves a nonce gap, so it stays in the pool.
  await node.chain.submit(
    toBytes(await developer(5).signTransaction({ ...dynamic, nonce: 3, to: recipient.address, value: 5n })),
  );
  return node;
}

function listPayments(transaction: Hash, asset: Address): PaymentRecord[] {
  const base: Omit<PaymentRecord, "id" | "nonce" | "state" | "steps" | "createdAtMs" | "changedAtMs"> = {
    revision: 0,
    network: "eip155:10143",
    scheme: "exact",
    asset,
    payer: getDevAccount(0).address,
    payee: getDevAccount(1).address,
    amountUnits: 1_500_000n,
    payload: "{}",
    validBefore: 1_900_000_000,
  };
  const settled: PaymentRecord = {
    ...base,
    id: word(1),
    nonce: word(11),
    state: "settled",
    steps: [
      { state: "settling", atMs: 1_700_000_001_000 },
      { state: "settled", atMs: 1_700_000_002_000 },
    ],
    settledUnits: 1_500_000n,
    resource: "http://localhost:3000/api/paid/block-digest",
    transaction,
    createdAtMs: 1_700_000_001_000,
    changedAtMs: 1_700_000_002_000,
  };
  const failed: PaymentRecord = {
    ...base,
    id: word(2),
    nonce: word(12),
    state: "failed",
    steps: [{ state: "failed", atMs: 1_700_000_004_000 }],
    reason: "insufficient_funds",
    createdAtMs: 1_700_000_003_000,
    changedAtMs: 1_700_000_004_000,
  };
  return [settled, failed];
}
