/**
 * Gas money for a custom relayer on an embedded chain: the genesis funds the default relayer, which passes some on.
 * It does nothing on a chain with another genesis.
 */
import { privateKeyToAccount } from "viem/accounts";
import type { Chain } from "@/server/chain/chain";
import { facilitatorIndex, getDevAccount } from "@/server/config/devAccounts";
import type { Address } from "@/server/ethereum/types";
import { runAlone } from "@/server/storage/runAlone";

type DevAccount = ReturnType<typeof getDevAccount>;

const leastWei = 10n ** 18n;
const topUpWei = 1_000n * 10n ** 18n;
const waitMs = 10_000;

/** Waits until the relayer can pay for gas. Rejects if the default relayer cannot fund it. */
export async function ensureRelayerFunds(chain: Chain, relayer: Address): Promise<void> {
  const donor = getDevAccount(facilitatorIndex);
  if (relayer === donor.address) return;
  // If several instances start together, one sends the funds and the others find them there.
  await runAlone(chain.store, `funds of ${relayer}`, async () => {
    await chain.refresh({ isUrgent: true });
    await topUp(chain, relayer, donor);
  });
}

async function topUp(chain: Chain, relayer: Address, donor: DevAccount): Promise<void> {
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
  await chain.waitForTransaction(await chain.submit(Buffer.from(raw.slice(2), "hex")), waitMs);
}
