/**
 * Gas money for a relayer of one's own on an embedded chain: the genesis funds the default relayer, and that one
 * passes some on. Nothing is sent on a chain whose genesis is not ours.
 */
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Chain } from "@/server/chain/chain";
import { TransactionRefusedError } from "@/server/chain/errors";
import type { Address } from "@/server/chain/types";
import { facilitatorIndex, getDevAccount } from "@/server/devAccounts";

const leastWei = 10n ** 18n;
const topUpWei = 1_000n * 10n ** 18n;
const waitMs = 10_000;

/** Waits until the relayer can pay for gas. Rejects where the default relayer cannot help it. */
export async function ensureRelayerFunds(chain: Chain, relayer: Address): Promise<void> {
  const donor = getDevAccount(facilitatorIndex);
  if (relayer === donor.address) return;
  const head = chain.head();
  const held = (await chain.store.findAccount(relayer, head.number))?.balance ?? 0n;
  if (held >= leastWei) return;
  const mined = (await chain.store.findAccount(donor.address, head.number))?.nonce ?? 0n;
  const next = chain.pool.nextNonce(donor.address) ?? 0n;
  const tip = 10n ** 9n;
  const raw = await privateKeyToAccount(donor.privateKey).signTransaction({
    type: "eip1559",
    chainId: chain.spec.chainId,
    nonce: Number(next > mined ? next : mined),
    to: relayer,
    value: topUpWei,
    gas: 100_000n,
    maxFeePerGas: 2n * (head.baseFeePerGas ?? 0n) + tip,
    maxPriorityFeePerGas: tip,
  });
  const hash = await chain.submit(Buffer.from(raw.slice(2), "hex")).catch((error) => {
    // Another instance that started at the same moment sent it: ours waits for the same money.
    if (chain.store.isShared && error instanceof TransactionRefusedError) return keccak256(raw);
    throw error;
  });
  await chain.waitForTransaction(hash, waitMs);
}
