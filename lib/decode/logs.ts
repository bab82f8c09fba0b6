/**
 * Decodes the logs that the explorer explains: ERC-20 transfers and approvals, and EIP-3009 authorizations. A log is
 * decoded only if its topics and data match the event's exact shape (an ERC-721 Transfer has a fourth topic).
 */
import { eventSignatures, toName } from "@/lib/decode/selectors";
import { findAddress, findUint, findWord } from "@/lib/decode/words";

export type LogLike = { address: `0x${string}`; topics: readonly string[]; data: string };

export type TokenEvent =
  | { kind: "transfer"; token: `0x${string}`; from: `0x${string}`; to: `0x${string}`; amount: bigint }
  | { kind: "approval"; token: `0x${string}`; owner: `0x${string}`; spender: `0x${string}`; amount: bigint }
  | { kind: "authorizationUsed"; token: `0x${string}`; authorizer: `0x${string}`; nonce: string }
  | { kind: "authorizationCanceled"; token: `0x${string}`; authorizer: `0x${string}`; nonce: string };

/** The event's name. Undefined if the first topic is unknown. */
export function findEventName(log: LogLike): string | undefined {
  const signature = eventSignatures[log.topics[0]?.toLowerCase() ?? ""];
  return signature && toName(signature);
}

export function findTokenEvent(log: LogLike): TokenEvent | undefined {
  const name = findEventName(log);
  const token = log.address;
  const first = findAddress(log.topics[1]?.slice(2).toLowerCase());
  if (name === undefined || first === undefined || log.topics.length !== 3) return undefined;
  if (name === "AuthorizationUsed" || name === "AuthorizationCanceled") {
    const kind = name === "AuthorizationUsed" ? "authorizationUsed" : "authorizationCanceled";
    return { kind, token, authorizer: first, nonce: log.topics[2]!.toLowerCase() };
  }
  const second = findAddress(log.topics[2]!.slice(2).toLowerCase());
  const amount = log.data.length === 66 ? findUint(findWord(log.data.slice(2), 0)) : undefined;
  if (second === undefined || amount === undefined) return undefined;
  if (name === "Transfer") return { kind: "transfer", token, from: first, to: second, amount };
  if (name === "Approval") return { kind: "approval", token, owner: first, spender: second, amount };
  return undefined;
}
