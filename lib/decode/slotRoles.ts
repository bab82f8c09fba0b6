/**
 * Finds what a named storage slot holds, such as a balance, an allowance, or an NFT's owner. The transaction's logs
 * must confirm it; the slot's number is not enough.
 */
import { findTokenEvent, type LogLike } from "@/lib/decode/logs";
import { findWordAddress, type KeyPair, type SlotName } from "@/lib/decode/slots";
import { listMovements, type Movement, noAddress } from "@/lib/decode/transfers";

type Address = `0x${string}`;

export type SlotRole =
  | { kind: "balance" | "nftBalance" | "permitNonce"; account: Address }
  | { kind: "allowance"; owner: Address; spender: Address }
  | { kind: "authorization"; payer: Address; nonce: string }
  | { kind: "usedNonces"; account: Address; word: bigint }
  | { kind: "owner"; id: bigint }
  | { kind: "supply" }
  | { kind: "address"; label: string };

type Log = LogLike & { logIndex: string };
/** The events that a contract emitted in the transaction. */
export type ContractEvents = { movements: Movement[]; logs: readonly Log[] };

export function toContractEvents(logs: readonly Log[], contract: string): ContractEvents {
  const own = logs.filter(({ address }) => address.toLowerCase() === contract.toLowerCase());
  return { movements: listMovements(own), logs: own };
}

/** Pairs of keys for nested mappings, taken from the logs: a payer and a nonce, or an owner and a spender. */
export function listKeyPairs(logs: readonly Log[], callers: readonly string[]): KeyPair[] {
  return logs.flatMap((log): KeyPair[] => {
    const event = findTokenEvent(log);
    switch (event?.kind) {
      case "authorizationUsed":
      case "authorizationCanceled":
        return [[event.authorizer, event.nonce]];
      case "approval":
        return [[event.owner, event.spender]];
      case "transfer":
        return callers.map((caller) => [event.from, caller]);
      default:
        return [];
    }
  });
}

/** Permit2 stores 256 nonces of an owner in each slot, so the inner key is the nonce without its last byte. */
export function listBitmapPairs(owners: readonly string[], words: readonly string[]): KeyPair[] {
  const nonces = words.map((word) => `0x00${word.slice(2, -2)}`);
  return owners.flatMap((owner) => nonces.map((nonce): KeyPair => [owner, nonce]));
}

/** What a slot holds. Undefined if the events don't show it. */
export function findSlotRole(
  name: SlotName | undefined,
  change: { before: bigint; after: bigint },
  { movements, logs }: ContractEvents,
  isPermit2 = false,
): SlotRole | undefined {
  if (name?.kind === "known" && name.name.startsWith("EIP-1967")) return { kind: "address", label: name.name };
  const difference = change.after - change.before;
  if (name?.kind === "variable") {
    return difference !== 0n && difference === sumMinted(movements) ? { kind: "supply" } : undefined;
  }
  if (name?.kind !== "entry") return undefined;
  const [first, second] = name.keys as [string, string?];
  const account = findWordAddress(first);
  if (second !== undefined) {
    if (isPermit2 && account) return toNonceRole(account, BigInt(second), change);
    return account && findPairRole(account, second, logs);
  }
  const id = BigInt(first);
  const owned = movements.findLast((movement) => movement.standard === "ERC-721" && movement.id === id);
  if (owned && BigInt(owned.to) === change.after) return { kind: "owner", id };
  if (account === undefined) return undefined;
  const moved = movements.reduce(
    (sum, { from, to, amount }) => sum + (to === account ? amount : 0n) - (from === account ? amount : 0n),
    0n,
  );
  if (movements.length > 0 && moved === difference) {
    return { kind: movements[0]!.standard === "ERC-721" ? "nftBalance" : "balance", account };
  }
  const permitted = logs.some((log) => {
    const event = findTokenEvent(log);
    return event?.kind === "approval" && event.owner === account;
  });
  return difference === 1n && permitted ? { kind: "permitNonce", account } : undefined;
}

/** Each bit of Permit2's bitmap is a nonce. If exactly one was used, its last byte is the bit's number. */
function toNonceRole(owner: Address, word: bigint, { before, after }: { before: bigint; after: bigint }): SlotRole {
  const bit = (after - before).toString(2);
  if (!/^10*$/.test(bit) || (before & after) !== before) return { kind: "usedNonces", account: owner, word };
  const nonce = word * 256n + BigInt(bit.length - 1);
  return { kind: "authorization", payer: owner, nonce: `0x${nonce.toString(16).padStart(64, "0")}` };
}

function findPairRole(owner: Address, second: string, logs: readonly Log[]): SlotRole | undefined {
  const isSpent = logs.some((log) => {
    const event = findTokenEvent(log);
    const isAuthorization = event?.kind === "authorizationUsed" || event?.kind === "authorizationCanceled";
    return isAuthorization && event.authorizer === owner && event.nonce === second;
  });
  if (isSpent) return { kind: "authorization", payer: owner, nonce: second };
  const spender = findWordAddress(second);
  return spender && { kind: "allowance", owner, spender };
}

function sumMinted(movements: readonly Movement[]): bigint {
  return movements
    .filter(({ standard }) => standard === "ERC-20")
    .reduce(
      (sum, { from, to, amount }) => sum + (from === noAddress ? amount : 0n) - (to === noAddress ? amount : 0n),
      0n,
    );
}
