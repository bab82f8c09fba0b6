/**
 * Fees for wallets: suggestions for the next block, and the history of past blocks. Blocks are immutable, so their fees
 * are cached, up to a limit.
 */
import { maxBigint } from "@/server/ethereum/bigints";
import { blobBaseFee, maxBlobGas, nextBaseFee, nextExcessBlobGas } from "@/server/ethereum/fees";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";
import type { Store } from "@/server/ports/store";

type FeeHistory = {
  oldestBlock: number;
  /** One entry per block, and one more for the block after the newest. */
  baseFeePerGas: bigint[];
  baseFeePerBlobGas: bigint[];
  gasUsedRatio: number[];
  blobGasUsedRatio: number[];
  /** A list for each block, with one value per requested percentile. */
  reward?: bigint[][];
};

export type FeeReader = {
  /**
   * The suggested tip for the block producer, in wei per gas: the tip that recent full blocks required, or the default
   * if blocks have room.
   */
  suggestTip(): Promise<bigint>;
  /**
   * The suggested price in wei per gas for a transaction with a single gas price: the suggested tip plus the higher of
   * the next base fee and the head's. Clients also make calls at the head with this price.
   */
  suggestGasPrice(): Promise<bigint>;
  /** The price of one unit of blob gas in the next block; undefined before Cancun. */
  blobBaseFee(): bigint | undefined;
  /**
   * Returns the fees of `count` blocks up to `newest`, or of fewer if the chain is shorter. `percentiles` must be
   * between 0 and 100, in ascending order. Each reward row lists the tips at those percentiles of the block's gas, or
   * zeros if the block is empty.
   */
  history(query: { count: number; newest: number; percentiles?: readonly number[] }): Promise<FeeHistory>;
  /** Clears the cache. Needed after dev controls replace blocks. */
  forget(): void;
};

/** The tips of a block's transactions, lowest first, and the cumulative gas used up to each transaction. */
type Tips = { ascending: bigint[]; gasUpTo: Float64Array };

/** The fee history of one block. */
type BlockFees = {
  header: Header;
  baseFeePerGas: bigint;
  baseFeePerBlobGas: bigint;
  gasUsedRatio: number;
  blobGasUsedRatio: number;
};

/**
 * The suggested tip is the 60th percentile of the three lowest tips in each of the last 20 blocks, as in geth's oracle.
 * Unlike geth, it only considers blocks that used more gas than their target. Otherwise, wallets that pay the suggested
 * tip would keep it high forever.
 */
const sampledBlocks = 20;
const samplesPerBlock = 3;
const suggestedPercentile = 60;
/** Like geth's minimum: a thousandth of a gwei. */
export const defaultTipWei = 1_000_000n;
const keptBlocks = 1_024;

type State = {
  spec: ChainSpec;
  store: Store;
  head: () => Header;
  findHeader: (number: number) => Promise<Header | undefined>;
  nextEnv: () => BlockEnv;
  /** The suggested tip while blocks have room. */
  tipWei: bigint;
  tips: Map<number, Tips>;
  fees: Map<number, BlockFees>;
  suggestion: { number: number; tip: bigint } | undefined;
  /** Incremented when the cache is cleared. The result of a read that began earlier is not cached. */
  timesForgotten: number;
};

export function createFeeReader(
  chain: Pick<State, "spec" | "store" | "head" | "findHeader" | "nextEnv" | "tipWei">,
): FeeReader {
  const state: State = {
    ...chain,
    tips: new Map(),
    fees: new Map(),
    suggestion: undefined,
    timesForgotten: 0,
  };
  return {
    suggestTip: () => suggestTip(state),
    async suggestGasPrice() {
      const tip = await suggestTip(state);
      return maxBigint(chain.nextEnv().baseFeePerGas ?? 0n, chain.head().baseFeePerGas ?? 0n) + tip;
    },
    blobBaseFee() {
      const env = chain.nextEnv();
      return blobBaseFee(chain.spec, env, env.excessBlobGas);
    },
    history: (query) => readHistory(state, query),
    forget() {
      state.timesForgotten++;
      state.suggestion = undefined;
      for (const cache of [state.tips, state.fees]) cache.clear();
    },
  };
}

async function suggestTip(state: State): Promise<bigint> {
  const { number } = state.head();
  if (state.suggestion?.number === number) return state.suggestion.tip;
  const began = state.timesForgotten;
  const samples: bigint[] = [];
  for (let at = number; at >= 0 && at > number - sampledBlocks; at--) {
    const header = await state.findHeader(at);
    // A rewind has just removed this block.
    if (!header) continue;
    // The gas target is half the limit (EIP-1559).
    if (2n * header.gasUsed <= header.gasLimit) continue;
    const tips = await getTips(state, header);
    samples.push(...tips.ascending.slice(0, samplesPerBlock));
  }
  samples.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const tip = samples[Math.floor(((samples.length - 1) * suggestedPercentile) / 100)] ?? state.tipWei;
  if (began === state.timesForgotten) state.suggestion = { number, tip };
  return tip;
}

async function readHistory(
  state: State,
  { count, newest, percentiles }: Parameters<FeeReader["history"]>[0],
): Promise<FeeHistory> {
  const blocks = Math.min(count, newest + 1);
  const history: FeeHistory = {
    oldestBlock: blocks === 0 ? 0 : newest + 1 - blocks,
    baseFeePerGas: [],
    baseFeePerBlobGas: [],
    gasUsedRatio: [],
    blobGasUsedRatio: [],
  };
  if (blocks === 0) return history;
  if (percentiles) history.reward = [];
  let last!: Header;
  for (let number = history.oldestBlock; number <= newest; number++) {
    // Doesn't use `await` for cached blocks. For a thousand blocks, awaiting each one would take most of the time.
    const fees = state.fees.get(number) ?? (await readFees(state, number));
    last = fees.header;
    history.baseFeePerGas.push(fees.baseFeePerGas);
    history.baseFeePerBlobGas.push(fees.baseFeePerBlobGas);
    history.gasUsedRatio.push(fees.gasUsedRatio);
    history.blobGasUsedRatio.push(fees.blobGasUsedRatio);
    if (!percentiles) continue;
    const tips = state.tips.get(number) ?? (await getTips(state, last));
    history.reward?.push(toRewards(tips, last.gasUsed, percentiles));
  }
  const { spec } = state;
  const after =
    newest < state.head().number ? await getHeader(state, newest + 1) : toFeesAfter(spec, last, state.nextEnv());
  history.baseFeePerGas.push(after.baseFeePerGas ?? 0n);
  history.baseFeePerBlobGas.push(blobBaseFee(spec, after, after.excessBlobGas) ?? 0n);
  return history;
}

/** Gets a block's value from a bounded cache. Calls `read` if the value isn't cached. */
async function getCached<T>(state: State, cache: Map<number, T>, number: number, read: () => Promise<T>): Promise<T> {
  const known = cache.get(number);
  if (known) return known;
  const began = state.timesForgotten;
  const value = await read();
  if (began === state.timesForgotten) {
    cache.set(number, value);
    if (cache.size > keptBlocks) cache.delete(cache.keys().next().value!);
  }
  return value;
}

function getTips(state: State, header: Header): Promise<Tips> {
  return getCached(state, state.tips, header.number, async () => {
    const receipts = header.gasUsed === 0n ? [] : ((await state.store.findReceipts(header.number)) ?? []);
    const base = header.baseFeePerGas ?? 0n;
    return toTips(receipts.map(({ effectiveGasPrice, gasUsed }) => ({ tip: effectiveGasPrice - base, gasUsed })));
  });
}

async function getHeader(state: State, number: number): Promise<Header> {
  const header = await state.findHeader(number);
  if (!header) throw new Error(`The database is missing header ${number}, which is below the head.`);
  return header;
}

function readFees(state: State, number: number): Promise<BlockFees> {
  const { spec } = state;
  return getCached(state, state.fees, number, async () => {
    const header = await getHeader(state, number);
    return {
      header,
      baseFeePerGas: header.baseFeePerGas ?? 0n,
      baseFeePerBlobGas: blobBaseFee(spec, header, header.excessBlobGas) ?? 0n,
      gasUsedRatio: toRatio(header.gasUsed, header.gasLimit),
      blobGasUsedRatio: toRatio(header.blobGasUsed ?? 0n, maxBlobGas(spec, header) ?? 0n),
    };
  });
}

/** The base fees of the block after `parent`. */
function toFeesAfter(spec: ChainSpec, parent: Header, { timestamp }: BlockEnv) {
  const at = { number: parent.number + 1, timestamp };
  return {
    ...at,
    baseFeePerGas: nextBaseFee(spec, parent, at),
    excessBlobGas: nextExcessBlobGas(spec, parent, at),
  };
}

export function toTips(transactions: { tip: bigint; gasUsed: bigint }[]): Tips {
  const sorted = transactions.toSorted((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
  let sum = 0;
  const gasUpTo = Float64Array.from(sorted, ({ gasUsed }) => {
    sum += Number(gasUsed);
    return sum;
  });
  return { ascending: sorted.map(({ tip }) => tip), gasUpTo };
}

/** The tips at the given percentiles of the block's gas. */
export function toRewards({ ascending, gasUpTo }: Tips, gasUsed: bigint, percentiles: readonly number[]): bigint[] {
  if (ascending.length === 0) return percentiles.map(() => 0n);
  return percentiles.map((percentile) => {
    // The threshold is rounded down, so that the 100th percentile is the last transaction.
    const threshold = Math.floor((Number(gasUsed) * percentile) / 100);
    let low = 0;
    let high = ascending.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gasUpTo[middle]! < threshold) low = middle + 1;
      else high = middle;
    }
    return maxBigint(ascending[low]!, 0n);
  });
}

function toRatio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}
