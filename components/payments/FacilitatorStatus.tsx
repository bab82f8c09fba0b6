/** Whether the facilitator can settle now, and how much it has done. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { GasCost } from "@/components/atoms/Amount";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import type { Request } from "@/components/atoms/ShowRequest";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { ProblemList } from "@/components/node/NodeProblems";
import { toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { healthQuery } from "@/lib/query/explorerQueries";
import type { PaymentTotal } from "@/lib/rpc/explorerShapes";
import { formatInteger } from "@/lib/units";
import { FailedCount } from "./FailedCount";
import { unlistedText } from "./unlistedText";

/** `totals` has the number of payments for each state. If `transactions` isn't known, it is left out. */
export function FacilitatorStatus({
  totals,
  request,
  transactions,
}: {
  totals: readonly PaymentTotal[];
  /** The request that returned the totals. */
  request: Request;
  transactions: number | undefined;
}) {
  const source = useSource();
  const { data: health } = useQuery(healthQuery(source));
  const count = (wanted: RegExp) =>
    totals.filter(({ subject }) => wanted.test(subject)).reduce((sum, { payments }) => sum + BigInt(payments), 0n);
  const [settled, failed] = [count(/^(settled|refunded)/), count(/^failed/)];
  const spentWei = totals.reduce((sum, { gasCost }) => sum + BigInt(gasCost), 0n);
  const isDown = health?.problems.some(({ severity, code }) => severity === "down" || code === "relayer_out_of_gas");
  return (
    <>
      {health && health.problems.length > 0 && <ProblemList problems={health.problems} />}
      <Sheet>
        <InfoList label="Status" strip request={request}>
          <InfoRow label="Status" request={healthQuery(source).queryKey}>
            {health && (
              <span
                className={`flex items-center gap-1.5 whitespace-nowrap font-medium md:max-lg:gap-1 ${isDown ? "text-neg" : "text-pos"}`}
              >
                <Icon name={isDown ? "cross" : "check"} />
                {isDown ? "Can’t settle" : "Ready"}
              </span>
            )}
          </InfoRow>
          <InfoRow
            label="Settled"
            hint="A transaction can settle several payments, and payments that cost nothing need none"
          >
            {formatInteger(settled)}
            {transactions !== undefined && (
              <span className="second text-13 text-ink-2">
                in {formatInteger(BigInt(transactions))} {plural(transactions, "transaction")}
              </span>
            )}
          </InfoRow>
          <InfoRow label="Failed" hint={unlistedText}>
            <FailedCount failed={failed} settled={settled} href={toPaymentsPath(source.network, { state: "failed" })} />
          </InfoRow>
          <InfoRow label="Gas fees">
            <GasCost wei={spentWei} />
          </InfoRow>
          <InfoRow label="Gas fee per payment">{settled > 0n ? <GasCost wei={spentWei / settled} /> : "–"}</InfoRow>
        </InfoList>
      </Sheet>
    </>
  );
}
