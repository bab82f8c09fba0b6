/**
 * What both soaks share: the network they run on, its accounts, and what they compare.
 */
import { numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { chainId, token, tokenEntry } from "@/server/tools/bench/exactTerms";
import { askRpc } from "@/server/tools/bench/jsonRpc";

export const networkName = "soak";
/** Reasons that leave the outcome open: send the same payment again. */
export const unsettledReasons: ReadonlySet<string> = new Set([
  "settlement_pending",
  "unexpected_error",
  "rate_limited",
]);

export type Allocation = { address: string; wei: bigint; units: bigint };

/** A local network that funds these accounts. */
export function toNetworkFile(allocations: Allocation[]) {
  return {
    name: networkName,
    chainId,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    tokens: [tokenEntry],
    funded: allocations.map(({ address, wei, units }) => ({
      address,
      balanceWei: String(wei),
      tokenUnits: String(units),
    })),
  };
}

export function toAccount(key: number): PrivateKeyAccount {
  return privateKeyToAccount(numberToHex(key, { size: 32 }));
}

export async function readBalance(url: string, owner: `0x${string}`): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).padStart(64, "0")}`;
  return BigInt((await askRpc(url, "eth_call", [{ to: token, data }, "latest"])) as string);
}

export function assertSame<T>(what: string, one: T, other: T): void {
  if (one !== other) throw new Error(`${what} differ: ${String(one)} and ${String(other)}.`);
}
