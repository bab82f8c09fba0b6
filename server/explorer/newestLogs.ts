/**
 * Lists logs newest first from an index that is sorted oldest first. Reads block ranges from the head down and adapts
 * their length to the number of logs.
 */
import type { Address, Hash, MinedLog } from "@/server/ethereum/types";
import type { BlockStore, TransferCursor } from "@/server/ports/store";

export type NewestLogs = {
  address: Address;
  /** One entry per topic position; undefined matches any topic. */
  topics: (Hash[] | undefined)[];
  fromBlock: number;
  toBlock: number;
  /** If set, only returns logs strictly before this position. */
  before?: TransferCursor;
  limit: number;
};

const firstSpan = 256;
const growth = 8;
/**
 * The maximum number of logs per range. If a range contains more logs, it is read again in smaller parts; a single
 * block is always read in full.
 */
const mostOfRange = 500;

export async function listNewestLogs(
  store: Pick<BlockStore, "listLogs">,
  { address, topics, fromBlock, toBlock, before, limit }: NewestLogs,
): Promise<MinedLog[]> {
  const found: MinedLog[] = [];
  let high = before ? Math.min(before.blockNumber, toBlock) : toBlock;
  let span = firstSpan;
  while (high >= fromBlock && found.length < limit) {
    const low = Math.max(high - span + 1, fromBlock);
    const most = low === high ? Number.MAX_SAFE_INTEGER : mostOfRange;
    const logs = await store.listLogs({ fromBlock: low, toBlock: high, addresses: [address], topics, limit: most });
    if (logs.length >= most) {
      span = Math.max(Math.floor((high - low + 1) / growth), 1);
      continue;
    }
    found.push(...logs.reverse().filter((log) => isBefore(log, before)));
    high = low - 1;
    if (logs.length < mostOfRange / growth) span *= growth;
  }
  return found.slice(0, limit);
}

function isBefore({ blockNumber, logIndex }: MinedLog, cursor: TransferCursor | undefined): boolean {
  if (!cursor || blockNumber < cursor.blockNumber) return true;
  return blockNumber === cursor.blockNumber && logIndex < cursor.logIndex;
}
