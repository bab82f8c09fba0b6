/** What gas cost: in gwei, or in the native currency from a thousandth on. */
import { NativeAmount } from "@/components/atoms/Amount";
import { formatInteger } from "@/lib/units";

export function GasCost({ wei }: { wei: bigint }) {
  if (wei >= 10n ** 15n) return <NativeAmount wei={wei} fractionDigits={6} />;
  const gwei = (wei + 5n * 10n ** 8n) / 10n ** 9n;
  return (
    <>
      {gwei === 0n && wei > 0n ? "< 1" : formatInteger(gwei)} <span className="text-ink-2">gwei</span>
    </>
  );
}
