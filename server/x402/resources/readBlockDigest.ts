/** Computes a digest of a network's latest blocks. The same blocks always give the same digest. */
import type { Hex } from "@/lib/x402/types";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";
import type { ResourceNetwork } from "@/server/x402/resources/resource";

export type BlockDigest = {
  network: string;
  chainId: number;
  head: { number: number; hash: Hex; timestamp: number };
  /** Oldest first. */
  blocks: {
    number: number;
    hash: Hex;
    timestamp: number;
    transactions: number;
    /** Share of the gas limit that was used, from 0 to 1 with four decimals. */
    gasUsedShare: number;
    /** Decimal wei; absent before EIP-1559. */
    baseFeeWei?: string;
  }[];
  transactions: number;
  gasUsed: string;
  /** The change from the oldest to the newest of these blocks; absent before EIP-1559. */
  baseFee?: { firstWei: string; lastWei: string; changePercent: number };
  /** The addresses that received the most transactions. There are at most five, and ties are sorted by address. */
  busiestRecipients: { address: Hex; transactions: number }[];
};

type WireBlock = {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
  gasLimit: Hex;
  gasUsed: Hex;
  baseFeePerGas?: Hex;
  transactions: { to: Hex | null }[];
};

/** Returns a digest of the latest `count` blocks, or of all blocks if there are fewer. Throws NetworkError. */
export async function readBlockDigest({ network, request }: ResourceNetwork, count: number): Promise<BlockDigest> {
  const getBlock = async (block: string): Promise<WireBlock> => {
    try {
      const answer = await request({ method: "eth_getBlockByNumber", params: [block, true] });
      if (answer) return answer as WireBlock;
    } catch (error) {
      throw new NetworkError("eth_getBlockByNumber failed.", { cause: error });
    }
    throw new NetworkError(`Block ${block} was not found.`);
  };

  const head = await getBlock("latest");
  const headNumber = Number(head.number);
  const earlier = Array.from({ length: Math.min(count - 1, headNumber) }, (_, back) => headNumber - 1 - back);
  const blocks = [
    ...(await Promise.all(earlier.map((number) => getBlock(`0x${number.toString(16)}`)))).reverse(),
    head,
  ];

  const received = new Map<Hex, number>();
  for (const { to } of blocks.flatMap(({ transactions }) => transactions)) {
    if (to) received.set(to.toLowerCase() as Hex, (received.get(to.toLowerCase() as Hex) ?? 0) + 1);
  }
  const first = blocks[0]?.baseFeePerGas;
  const last = head.baseFeePerGas;
  return {
    network: network.name,
    chainId: network.chainId,
    head: { number: headNumber, hash: head.hash, timestamp: Number(head.timestamp) },
    blocks: blocks.map((block) => ({
      number: Number(block.number),
      hash: block.hash,
      timestamp: Number(block.timestamp),
      transactions: block.transactions.length,
      gasUsedShare: toRatio(BigInt(block.gasUsed), BigInt(block.gasLimit)),
      ...(block.baseFeePerGas && { baseFeeWei: BigInt(block.baseFeePerGas).toString() }),
    })),
    transactions: blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
    gasUsed: blocks.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n).toString(),
    ...(first && last && { baseFee: toTrend(BigInt(first), BigInt(last)) }),
    busiestRecipients: [...received]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .slice(0, 5)
      .map(([address, transactions]) => ({ address, transactions })),
  };
}

function toTrend(first: bigint, last: bigint): { firstWei: string; lastWei: string; changePercent: number } {
  // Computed in hundredths of a percent as an integer, so that fees don't become floating-point numbers.
  const change = first === 0n ? 0n : ((last - first) * 10_000n) / first;
  return { firstWei: first.toString(), lastWei: last.toString(), changePercent: Number(change) / 100 };
}

function toRatio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000;
}
