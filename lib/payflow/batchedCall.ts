/** Finds a payment's call in a decoded transaction that settles several payments. */
import type { Decoded, DecodedValue } from "@/lib/decode/decoded";

/** The call that contains the payment's nonce. Undefined if the transaction is not a Multicall3 batch. */
export function findBatchedCall(readings: readonly Decoded[], nonce: string): { to: string; data: string } | undefined {
  const [batch] = readings;
  const calls = batch?.name === "aggregate3" ? toList(batch.values[0]) : [];
  for (const call of calls) {
    const [target, , data] = toList(call).map(({ value }) => value);
    if (typeof target !== "string" || typeof data !== "string") continue;
    if (data.includes(nonce.slice(2).toLowerCase())) return { to: target, data };
  }
  return undefined;
}

function toList(value: DecodedValue | undefined): DecodedValue[] {
  return Array.isArray(value?.value) ? value.value : [];
}
