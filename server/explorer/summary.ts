/**
 * Summarizes a transaction for a row in a list: the function that it calls and its first token transfer. Works for
 * embedded and remote chains.
 */

import { findTokenCall } from "@/lib/decode/calls";
import type { TransactionSummary } from "@/lib/rpc/explorerShapes";
import { toQuantity } from "@/lib/units";
import { getDecoder } from "@/server/explorer/decoder";
import { findTransfer } from "@/server/explorer/transfers";

type Hex = `0x${string}`;

/** The first four bytes of a call's input and the function's name; a contract creation has neither. */
export function toMethod(
  to: string | null | undefined,
  input: string,
): Pick<TransactionSummary, "selector" | "method"> {
  const selector = to && input.length >= 10 ? (input.slice(0, 10) as Hex) : null;
  return { selector, method: (selector && getDecoder().findFunction(selector)?.name) ?? null };
}

/** The first ERC-20 transfer among the logs, in wire format; null if there is none. */
export function findFirstTransfer(
  logs: readonly { address: Hex; topics: Hex[]; data: Hex }[],
): TransactionSummary["tokenTransfer"] {
  const transfers = logs.flatMap((log) => {
    const transfer = findTransfer(log);
    return transfer ? [{ token: log.address.toLowerCase() as Hex, ...transfer }] : [];
  });
  const [first, ...others] = transfers;
  if (!first) return null;
  return { ...first, amount: toQuantity(first.amount), others: toQuantity(others.length) };
}

/** The transfer that a pending call makes if its target is an ERC-20 token; null if it makes none. */
export function findCalledTransfer({
  from,
  to,
  input,
}: {
  from: Hex;
  to?: Hex | undefined;
  input: Hex;
}): TransactionSummary["tokenTransfer"] {
  const call = to && findTokenCall(input);
  if (!call || call.kind === "approve" || call.kind === "mint") return null;
  const payer = call.kind === "transfer" ? from : call.from;
  return { token: to, from: payer, to: call.to, amount: toQuantity(call.amount), others: toQuantity(0) };
}
