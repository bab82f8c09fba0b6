/**
 * Finds token transfers in logs. ERC-721 uses the same event as ERC-20 but indexes the token ID; ERC-1155 logs one or
 * more IDs, each with an amount. If a log has another shape, it is not a transfer.
 */
import type { Address, Hash, Hex, Log } from "@/server/ethereum/types";
import type { ExplorerRows } from "@/server/ports/store";

/** keccak("Transfer(address,address,uint256)") */
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** keccak("TransferSingle(address,address,address,uint256,uint256)") */
const singleTopic: Hash = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/** keccak("TransferBatch(address,address,address,uint256[],uint256[])") */
const batchTopic: Hash = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

type NftTransfer = Omit<ExplorerRows["nftTransfers"][number], "blockNumber" | "sequence" | "token">;

/** Returns the ERC-20 transfer in a log; undefined if the log is not such a transfer. */
export function findTransfer({
  topics,
  data,
}: Pick<Log, "topics" | "data">): { from: Address; to: Address; amount: bigint } | undefined {
  const [topic, from, to] = topics;
  if (topic !== transferTopic || topics.length !== 3 || data.length !== 66 || !from || !to) return undefined;
  return { from: toAddress(from), to: toAddress(to), amount: BigInt(data) };
}

export function listNftTransfers({ topics, data }: Pick<Log, "topics" | "data">): NftTransfer[] {
  const [topic, first, second, third] = topics;
  if (topics.length !== 4 || !first || !second || !third) return [];
  if (topic === transferTopic && data === "0x") {
    return [{ from: toAddress(first), to: toAddress(second), tokenId: BigInt(third), amount: 1n }];
  }
  const parties = { from: toAddress(second), to: toAddress(third) };
  const words =
    data
      .slice(2)
      .match(/.{64}/g)
      ?.map((word) => BigInt(`0x${word}`)) ?? [];
  if (topic === singleTopic && data.length === 130) return [{ ...parties, tokenId: words[0]!, amount: words[1]! }];
  if (topic !== batchTopic) return [];
  const ids = findArray(words, 0);
  const amounts = findArray(words, 1);
  if (!ids || ids.length !== amounts?.length) return [];
  return ids.map((tokenId, at) => ({ ...parties, tokenId, amount: amounts[at]! }));
}

/** The array whose offset is in the word at `place`; undefined if the array is not within the data. */
function findArray(words: bigint[], place: number): bigint[] | undefined {
  const offset = words[place] ?? 1n;
  const start = Number(offset / 32n);
  const length = words[start];
  if (offset % 32n !== 0n || length === undefined || length > BigInt(words.length)) return undefined;
  const items = words.slice(start + 1, start + 1 + Number(length));
  return items.length === Number(length) ? items : undefined;
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(26)}`;
}
