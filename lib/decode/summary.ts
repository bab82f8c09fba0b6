/**
 * Summarizes a transaction as one fact, which a page shows as a sentence. For a successful transaction, the logs take
 * precedence over the calldata. A failed or pending transaction is summarized from its calldata.
 */
import { findTokenCall } from "@/lib/decode/calls";
import { findTokenEvent, type LogLike } from "@/lib/decode/logs";
import { eventTopics } from "@/lib/decode/selectors";
import { plural } from "@/lib/plural";

type Address = `0x${string}`;

type Payment = { token: Address; payer: Address; payee: Address; amount: bigint };

/** An EIP-3009 transfer, read from its two logs. */
export type Settlement = Payment & { nonce: string };

export type Transfer = { token: Address; from: Address; to: Address; amount: bigint };

/** Every ERC-20 transfer among the logs, in order. */
export function listTransfers(logs: readonly LogLike[]): Transfer[] {
  return logs.flatMap((log) => {
    const event = findTokenEvent(log);
    return event?.kind === "transfer" ? [event] : [];
  });
}

/**
 * Every settlement in the logs. A settlement is an AuthorizationUsed event next to a transfer by the same payer and of
 * the same token. Different tokens log the two in different orders.
 */
export function listSettlements(logs: readonly LogLike[]): Settlement[] {
  const events = logs.map(findTokenEvent);
  return events.flatMap((used, index) => {
    if (used?.kind !== "authorizationUsed") return [];
    const transfer = [events[index + 1], events[index - 1]].find(
      (event) => event?.kind === "transfer" && event.token === used.token && event.from === used.authorizer,
    );
    if (transfer?.kind !== "transfer") return [];
    const { token, from, to, amount } = transfer;
    return [{ token, payer: from, payee: to, amount, nonce: used.nonce }];
  });
}

/** Every payment that a Permit2 proxy settled. The proxy emits its event right after the transfer. */
function listPermit2Payments(logs: readonly LogLike[]): Payment[] {
  const { Settled, SettledWithPermit } = eventTopics;
  return logs.flatMap(({ topics: [topic] }, index) => {
    if (topic !== Settled && topic !== SettledWithPermit) return [];
    const transfers = listTransfers(logs.slice(Math.max(index - 1, 0), index));
    return transfers.map(({ token, from, to, amount }) => ({ token, payer: from, payee: to, amount }));
  });
}

export type Summary =
  | ({ kind: "payment" } & Payment)
  | { kind: "payments"; count: number }
  | { kind: "tokenTransfer"; token: Address; from: Address; to: Address; amount: bigint }
  | { kind: "approval"; token: Address; spender: Address; amount: bigint }
  | { kind: "create"; contract: Address | undefined }
  | { kind: "transfer"; to: Address; valueWei: bigint }
  /** Describes data that can't call a function, such as "2 bytes of data". */
  | { kind: "data"; to: Address; text: string; valueWei: bigint }
  | { kind: "call"; to: Address; name: string; valueWei: bigint };

/** `functionName` is the called function's name from an ABI. If it's missing, the selector is used. */
export function toSummary(
  transaction: { from: string; to: string | null; input: string; value: string },
  receipt: { status?: string | undefined; contractAddress: string | null; logs: readonly LogLike[] } | null | undefined,
  functionName?: string | undefined,
): Summary {
  const { to, input } = transaction as { to: Address | null; input: string };
  if (to === null) return { kind: "create", contract: (receipt?.contractAddress as Address | null) ?? undefined };

  const logs = receipt?.logs ?? [];
  const payments: Payment[] = [...listSettlements(logs), ...listPermit2Payments(logs)];
  const [payment] = payments;
  if (payments.length > 1) return { kind: "payments", count: payments.length };
  if (payment) {
    const { token, payer, payee, amount } = payment;
    return { kind: "payment", token, payer, payee, amount };
  }

  const call = findTokenCall(input);
  if (call?.kind === "authorization") {
    return { kind: "payment", token: to, payer: call.from, payee: call.to, amount: call.amount };
  }
  if (call?.kind === "approve") return { kind: "approval", token: to, spender: call.spender, amount: call.amount };
  // A selector doesn't prove that the target is a token. For a successful transaction, there must also be a transfer
  // log.
  const isTransferCall = call?.kind === "transfer" || call?.kind === "transferFrom";
  const [transfer, ...others] = listTransfers(logs);
  if (transfer && others.length === 0 && isTransferCall) {
    return {
      kind: "tokenTransfer",
      token: transfer.token,
      from: transfer.from,
      to: transfer.to,
      amount: transfer.amount,
    };
  }
  const failed = receipt?.status !== undefined && Number(receipt.status) === 0;
  if (isTransferCall && (!receipt || failed)) {
    const from = call.kind === "transferFrom" ? call.from : (transaction.from as Address);
    return { kind: "tokenTransfer", token: to, from, to: call.to, amount: call.amount };
  }

  const valueWei = BigInt(transaction.value);
  if (input === "0x") return { kind: "transfer", to, valueWei };
  const text = functionName === undefined ? toDataText(input) : undefined;
  return text === undefined
    ? { kind: "call", to, name: functionName ?? input.slice(0, 10), valueWei }
    : { kind: "data", to, text, valueWei };
}

/** Describes calldata that a fallback function receives. Undefined if the calldata may start with a selector. */
export function toDataText(input: string): string | undefined {
  const bytes = Math.floor((input.length - 2) / 2);
  const isData = bytes < 4 || input.startsWith("0x00000000");
  return isData ? `${bytes} ${plural(bytes, "byte")} of data` : undefined;
}
