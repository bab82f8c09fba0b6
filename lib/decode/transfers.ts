/**
 * Finds token movements in logs, and totals them for each account. ERC-20 and ERC-721 share the Transfer event, but
 * only ERC-721 indexes its third value. An ERC-1155 event moves one ID or a batch.
 */
import type { LogLike } from "@/lib/decode/logs";
import { findAddress, findTail, findUint, findWord } from "@/lib/decode/words";

type Address = `0x${string}`;

export type Movement = {
  standard: "native" | "ERC-20" | "ERC-721" | "ERC-1155";
  /** The zero address stands for native tokens. */
  token: Address;
  from: Address;
  to: Address;
  amount: bigint;
  /** The token's ID. Only set for ERC-721 and ERC-1155. */
  id?: bigint;
  logIndex: number;
};

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const transferSingle = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const transferBatch = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

export function listMovements(logs: readonly (LogLike & { logIndex: string })[]): Movement[] {
  return logs.flatMap((log): Movement[] => {
    const [topic, ...indexed] = log.topics.map((text) => text.slice(2).toLowerCase());
    const payload = log.data.slice(2).toLowerCase();
    const at = { token: log.address, logIndex: Number(log.logIndex) };
    if (`0x${topic}` === transfer) {
      const [from, to] = [findAddress(indexed[0]), findAddress(indexed[1])];
      if (from === undefined || to === undefined) return [];
      const id = findUint(indexed[2]);
      if (id !== undefined) return payload === "" ? [{ ...at, standard: "ERC-721", from, to, id, amount: 1n }] : [];
      const amount = payload.length === 64 ? findUint(payload) : undefined;
      return amount === undefined ? [] : [{ ...at, standard: "ERC-20", from, to, amount }];
    }
    const [from, to] = [findAddress(indexed[1]), findAddress(indexed[2])];
    if (from === undefined || to === undefined) return [];
    if (`0x${topic}` === transferSingle && payload.length === 128) {
      const [id, amount] = [findUint(findWord(payload, 0)), findUint(findWord(payload, 1))];
      return [{ ...at, standard: "ERC-1155", from, to, id: id!, amount: amount! }];
    }
    if (`0x${topic}` === transferBatch) {
      const [ids, amounts] = [findUints(payload, 0), findUints(payload, 1)];
      if (ids === undefined || ids.length !== amounts?.length) return [];
      return ids.map((id, index) => ({ ...at, standard: "ERC-1155", from, to, id, amount: amounts[index]! }));
    }
    return [];
  });
}

/** Reads a uint256[]. The word at `index` contains its offset. */
function findUints(payload: string, index: number): bigint[] | undefined {
  const tail = findTail(payload, index);
  if (!tail || tail.length > 10_000n) return undefined;
  const words = Array.from({ length: Number(tail.length) }, (_, item) =>
    findUint(findWord(payload, tail.first + item)),
  );
  return words.some((word) => word === undefined) ? undefined : (words as bigint[]);
}

export const noAddress = `0x${"0".repeat(40)}` as const;

export type BalanceChange = Pick<Movement, "standard" | "token" | "id"> & { account: Address; amount: bigint };

/**
 * Sums movements by account and token, with the largest gain first. Omits zero sums and, except for native tokens, the
 * zero address.
 */
export function listBalanceChanges(movements: readonly Omit<Movement, "logIndex">[]): BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  for (const { standard, token, from, to, amount, id } of movements) {
    for (const [account, signed] of [
      [from, -amount],
      [to, amount],
    ] as const) {
      if (account === noAddress && standard !== "native") continue;
      const key = `${account}:${token}:${id ?? ""}`;
      const before = changes.get(key)?.amount ?? 0n;
      changes.set(key, { standard, token, account, amount: before + signed, ...(id === undefined ? {} : { id }) });
    }
  }
  return [...changes.values()]
    .filter(({ amount }) => amount !== 0n)
    .toSorted((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
}
