/** Code that both soak tests share: the network's name, accounts, and functions for comparisons. */
import { numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { token } from "@/server/tools/bench/exactTerms";
import { askRpc } from "@/server/tools/bench/jsonRpc";

export const networkName = "soak";
/** Reasons that leave the outcome open, so the same payment is sent again. */
export const unsettledReasons: ReadonlySet<string> = new Set([
  "settlement_pending",
  "unexpected_error",
  "rate_limited",
]);

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
