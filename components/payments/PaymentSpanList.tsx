/** Lists a few spans of payments, one per line. The date is in the head if all spans have the same. */
import { TokenAmount } from "@/components/atoms/Amount";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { plural } from "@/lib/plural";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatInteger, toPercent } from "@/lib/units";
import { toTokenShape } from "./paymentAmount";

export function PaymentSpanList({
  title,
  spans,
  labels,
  token,
}: {
  title: string;
  spans: RpcResult<"explorer_getPaymentSeries">["spans"];
  /** The date and time when each span begins. */
  labels: readonly string[];
  token: string | undefined;
}) {
  const [day = ""] = labels[0]?.split(" ", 1) ?? [];
  const isOneDay = labels.every((label) => label.startsWith(day));
  const { fractionDigits } = toTokenShape(
    useNetwork(),
    spans.map(({ settledAmount }) => ({ units: BigInt(settledAmount), asset: token ?? null })),
  );
  const most = spans.reduce((found, { payments }) => Math.max(found, Number(payments)), 1);
  return (
    <Sheet id="series" title={title} aside={isOneDay && <span className="text-13 text-ink-2">{day}</span>}>
      <ul className="grid grid-cols-[minmax(0,1fr)_auto_auto] text-13 sm:grid-cols-[auto_auto_minmax(0,20rem)_1fr]">
        {spans.map(({ from, payments, settledAmount }, index) => (
          <li
            key={from}
            className="col-span-full grid grid-cols-subgrid items-center gap-x-4 border-line px-4 py-2 not-last:border-b"
          >
            <span className="text-ink-2">{isOneDay ? labels[index]?.slice(day.length) : labels[index]}</span>
            <span className="text-right">
              {formatInteger(BigInt(payments))} {plural(Number(payments), "payment")}
            </span>
            {/* Compares the numbers of payments, so it is next to them. */}
            <span className="gas-bar w-full max-sm:hidden" aria-hidden>
              <span style={{ width: `${toPercent(BigInt(payments), BigInt(most))}%` }} />
            </span>
            <span className="text-right">
              {token && <TokenAmount units={BigInt(settledAmount)} token={token} fractionDigits={fractionDigits} />}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
