/**
 * Fees for wallets: suggestions for the next block and the history of past ones. Blocks never change, so a bounded
 * number of reads is cached.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { blobBaseFee, maxBlobGas, nextBaseFee, nextExcessBlobGas } from "@/server/ethereum/fees";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";
import type { Store } from "@/server/ports/store";

type FeeHistory = {
  oldestBlock: number;
  /** One entry per block and one for the block after the newest. */
  baseFeePerGas: bigint[];
  baseFeePerBlobGas: bigint[];
  gasUsedRatio: number[];
  blobGasUsedRatio: number[];
  /** Per block, per requested percentile. */
  reward?: bigint[][];
};

export type FeeReader = {
  /** Wei per gas that recent transactions paid the block producer: enough for the next block. */
  suggestTip(): Promise<bigint>;
  /** The gas price in wei for a transaction with a single price: the next base fee plus the suggested tip. */
  suggestGasPrice(): Promise<bigint>;
  /** The price of one unit of blob gas in the next block; undefined before Cancun. */
  blobBaseFee(): bigint | undefined;
  /**
   * Returns count blocks up to newest, or fewer if the chain is shorter. percentiles ascend from 0 to 100; each row has
   * the tips at these shares of the block's gas, or zeros for an empty block.
   */
  history(query: { count: number; newest: number; percentiles?: readonly number[] }): Promise<FeeHistory>;
  /** Clears the cache, because a developer may have replaced blocks. */
  forget(): void;
};

/** A transaction's tip and how much gas it used. */
type Tip = { tip: bigint; gasUsed: bigint };

/** The fee history of one block. */
type BlockFees = {
  header: Header;
  baseFeePerGas: bigint;
  baseFeePerBlobGas: bigint;
  gasUsedRatio: number;
  blobGasUsedRatio: number;
};

/** As in geth's oracle: the 60th percentile of the three cheapest tips of each of the last 20 blocks. */
const sampledBlocks = 20;
const samplesPerBlock = 3;
const suggestedPercentile = 60;
/** Used if no tips were paid yet: 1 gwei, which is also the base fee at genesis. */
const defaultTip = 1_000_000_000n;
const keptBlocks = 1_024;

export function createFeeReader(chain: {
  spec: ChainSpec;
  store: Store;
  head: () => Header;
  nextEnv: () => BlockEnv;
}): FeeReader {
  const { spec, store, head, nextEnv } = chain;
  const tipsByBlock = new Map<number, Tip[]>();
  const headersByBlock = new Map<number, Header>();
  const feesByBlock = new Map<number, BlockFees>();
  let suggestion: { number: number; tip: bigint } | undefined;
  let timesForgotten = 0;

  function keep<T>(map: Map<number, T>, { number }: Header, value: T): void {
    map.set(number, value);
    if (map.size > keptBlocks) map.delete(map.keys().next().value!);
  }

  /** Tips of a block, ascending. */
  async function readTips(header: Header): Promise<Tip[]> {
    const known = tipsByBlock.get(header.number);
    if (known) return known;
    const began = timesForgotten;
    const receipts = header.gasUsed === 0n ? [] : ((await store.findReceipts(header.number)) ?? []);
    const base = header.baseFeePerGas ?? 0n;
    const tips = receipts
      .map(({ effectiveGasPrice, gasUsed }) => ({ tip: effectiveGasPrice - base, gasUsed }))
      .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
    if (began === timesForgotten) keep(tipsByBlock, header, tips);
    return tips;
  }

  async function getHeader(number: number): Promise<Header> {
    const current = head();
    if (number === current.number) return current;
    const known = headersByBlock.get(number);
    if (known) return known;
    const began = timesForgotten;
    const header = await store.findHeader(number);
    if (!header) throw new Error(`Header ${number} is missing below the head.`);
    if (began === timesForgotten) keep(headersByBlock, header, header);
    return header;
  }

  async function readFees(number: number): Promise<BlockFees> {
    const began = timesForgotten;
    const header = await getHeader(number);
    const fees = {
      header,
      baseFeePerGas: header.baseFeePerGas ?? 0n,
      baseFeePerBlobGas: blobBaseFee(spec, header, header.excessBlobGas) ?? 0n,
      gasUsedRatio: toRatio(header.gasUsed, header.gasLimit),
      blobGasUsedRatio: toRatio(header.blobGasUsed ?? 0n, maxBlobGas(spec, header) ?? 0n),
    };
    if (began === timesForgotten) keep(feesByBlock, header, fees);
    return fees;
  }

  async function suggestTip(): Promise<bigint> {
    const { number } = head();
    if (suggestion?.number === number) return suggestion.tip;
    const samples: bigint[] = [];
    for (let at = number; at >= 0 && at > number - sampledBlocks; at--) {
      const tips = await readTips(await getHeader(at));
      samples.push(...tips.slice(0, samplesPerBlock).map(({ tip }) => tip));
    }
    samples.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const tip = samples[Math.floor(((samples.length - 1) * suggestedPercentile) / 100)] ?? defaultTip;
    suggestion = { number, tip };
    return tip;
  }

  return {
    suggestTip,
    forget() {
      timesForgotten++;
      tipsByBlock.clear();
      headersByBlock.clear();
      feesByBlock.clear();
      suggestion = undefined;
    },
    async suggestGasPrice() {
      const tip = await suggestTip();
      return (nextEnv().baseFeePerGas ?? 0n) + tip;
    },
    blobBaseFee() {
      const env = nextEnv();
      return blobBaseFee(spec, env, env.excessBlobGas);
    },

    async history({ count, newest, percentiles }) {
      const blocks = Math.min(count, newest + 1);
      if (blocks === 0) {
        return { oldestBlock: 0, baseFeePerGas: [], baseFeePerBlobGas: [], gasUsedRatio: [], blobGasUsedRatio: [] };
      }
      const oldestBlock = newest + 1 - blocks;
      const history: FeeHistory = {
        oldestBlock,
        baseFeePerGas: [],
        baseFeePerBlobGas: [],
        gasUsedRatio: [],
        blobGasUsedRatio: [],
        ...(percentiles ? { reward: [] } : {}),
      };
      let last!: Header;
      for (let number = oldestBlock; number <= newest; number++) {
        // Cached blocks are read without await: awaiting each of a thousand blocks would be most of the work.
        const fees = feesByBlock.get(number) ?? (await readFees(number));
        last = fees.header;
        history.baseFeePerGas.push(fees.baseFeePerGas);
        history.baseFeePerBlobGas.push(fees.baseFeePerBlobGas);
        history.gasUsedRatio.push(fees.gasUsedRatio);
        history.blobGasUsedRatio.push(fees.blobGasUsedRatio);
        if (!percentiles) continue;
        const tips = tipsByBlock.get(number) ?? (await readTips(last));
        history.reward?.push(toRewards(tips, last.gasUsed, percentiles));
      }
      const after = newest < head().number ? await getHeader(newest + 1) : toFeesAfter(spec, last, nextEnv());
      history.baseFeePerGas.push(after.baseFeePerGas ?? 0n);
      history.baseFeePerBlobGas.push(blobBaseFee(spec, after, after.excessBlobGas) ?? 0n);
      return history;
    },
  };
}

/** The fees of the block after a header that is, or just was, the head. */
function toFeesAfter(spec: ChainSpec, parent: Header, { timestamp }: BlockEnv) {
  const at = { number: parent.number + 1, timestamp };
  return {
    ...at,
    baseFeePerGas: nextBaseFee(spec, parent, at),
    excessBlobGas: nextExcessBlobGas(spec, parent, at),
  };
}

/** The tips at the given shares of the block's gas; tips ascend and carry the gas used. */
export function toRewards(tips: readonly Tip[], gasUsed: bigint, percentiles: readonly number[]): bigint[] {
  if (tips.length === 0) return percentiles.map(() => 0n);
  let index = 0;
  let sum = tips[0]!.gasUsed;
  return percentiles.map((percentile) => {
    // Rounded down, so that the 100th percentile is the last transaction and not past it.
    const threshold = BigInt(Math.floor((Number(gasUsed) * percentile) / 100));
    while (sum < threshold && index < tips.length - 1) {
      index++;
      sum += tips[index]!.gasUsed;
    }
    return maxBigint(tips[index]!.tip, 0n);
  });
}

function toRatio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}
