/**
 * Sells a forecast of the base fee's range for the next blocks. The first block's fee is exact, and each later block
 * changes the fee by at most an eighth (EIP-1559). The expected fees assume that blocks stay as full as the latest
 * ones.
 */
import type { Hex } from "@/lib/x402/types";
import { ask } from "@/server/x402/resources/ask";
import { getInteger } from "@/server/x402/resources/readQuery";
import { defineResource, ResourceError } from "@/server/x402/resources/resource";

const historyBlocks = 20;
const percentiles = [10, 50, 90];

type FeeHistory = {
  oldestBlock: Hex;
  baseFeePerGas?: Hex[];
  gasUsedRatio: number[];
  reward?: Hex[][];
};

export const feeForecast = defineResource({
  name: "fee-forecast",
  title: "Fee forecast",
  description: "Lowest, expected and highest base fee for the next few blocks, and recent priority fees.",
  method: "GET",
  mimeType: "application/json",
  price: { scheme: "exact", amount: "$0.005", token: "dollar" },
  input: {
    type: "object",
    properties: { blocks: { type: "integer", minimum: 1, maximum: 16, default: 5 } },
  },
  exampleQuery: { blocks: "5" },
  toInput: (request) => getInteger(request, "blocks", { min: 1, max: 16, fallback: 5 }),
  async serve(count, context) {
    const history = await ask<FeeHistory>(context, "eth_feeHistory", [
      `0x${historyBlocks.toString(16)}`,
      "latest",
      percentiles,
    ]);
    const next = history.baseFeePerGas?.at(-1);
    if (next === undefined || BigInt(next) === 0n)
      throw new ResourceError(422, "This network has no base fee to forecast.");
    const fullness = toMean(history.gasUsedRatio);
    const head = Number(history.oldestBlock) + history.gasUsedRatio.length - 1;
    return {
      body: {
        network: context.network.name,
        head,
        /** The mean share of the gas limit that blocks used, with four decimals. */
        gasUsedShare: Math.round(fullness * 10_000) / 10_000,
        blocks: toForecast(BigInt(next), fullness, count).map((fees, index) => ({ number: head + 1 + index, ...fees })),
        tipsWei: Object.fromEntries(percentiles.map((percentile, at) => [`p${percentile}`, toTip(history.reward, at)])),
      },
    };
  },
});

/**
 * Returns the base fees of the blocks after the head, in wei. The first fee is known, and each later fee is within an
 * eighth of the previous one.
 */
export function toForecast(
  nextWei: bigint,
  fullness: number,
  count: number,
): { lowestWei: string; expectedWei: string; highestWei: string }[] {
  // How far usage is from the gas target, which is half of the limit. It is an integer in millionths, so that fees
  // aren't computed in floating point.
  const drift = BigInt(Math.round((Math.min(fullness, 1) * 2 - 1) * 1_000_000));
  let [lowest, expected, highest] = [nextWei, nextWei, nextWei];
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) {
      lowest -= lowest / 8n;
      expected += (expected * drift) / 8_000_000n;
      // When EIP-1559 raises the fee, it does so by at least one wei.
      highest += highest / 8n > 0n ? highest / 8n : 1n;
    }
    return { lowestWei: String(lowest), expectedWei: String(expected), highestWei: String(highest) };
  });
}

function toMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the median tip at one percentile, over all blocks with nonzero tips, or null if there are none. */
function toTip(rewards: readonly Hex[][] | undefined, at: number): string | null {
  const tips = (rewards ?? []).flatMap((row) => row[at] ?? []).map(BigInt);
  const paid = tips.filter((tip) => tip > 0n).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return paid.length === 0 ? null : String(paid[Math.floor(paid.length / 2)]);
}
