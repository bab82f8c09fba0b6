import { formatGwei, formatInteger } from "@/lib/units";

/** A gas price, given in wei. In a list of waiting transactions, all are in gwei, because visitors compare them. */
export function PoolPrice({ wei }: { wei: bigint }) {
  return (
    <span className="whitespace-nowrap" title={`${formatInteger(wei)} wei`}>
      {formatGwei(wei)}
      <span className="text-ink-3"> gwei</span>
    </span>
  );
}
