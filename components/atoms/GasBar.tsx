/** How much of a gas limit was used, in numbers, and with a bar. */
import { formatInteger, formatPercent, toPercent } from "@/lib/units";

export function GasUsed({ used, limit }: { used: bigint; limit: bigint }) {
  return (
    <span>
      {formatInteger(used)} <span className="text-ink-3">/ {formatInteger(limit)}</span>
    </span>
  );
}

/** `whole` says what the percentage refers to if `limit` isn't a gas limit: "of the transaction". */
export function GasBar({ used, limit, whole }: { used: bigint; limit: bigint; whole?: string }) {
  const percent = toPercent(used, limit);
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-3 gap-y-1">
      <GasUsed used={used} limit={limit} />
      <span aria-hidden className="gas-bar w-40">
        <span style={{ width: `${percent === 0 ? 0 : Math.max(percent, 1.5)}%` }} />
      </span>
      <span className="text-ink-2">
        {formatPercent(used, limit)} {whole}
      </span>
    </span>
  );
}
