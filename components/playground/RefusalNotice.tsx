/** Explains why a payment was rejected: the reason, the expected and actual values, and the fix. */

import type { ReactNode } from "react";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { WrapText } from "@/components/atoms/WrapText";
import { FlowValueText } from "./FlowText";
import type { Refusal, Where } from "./refusal";

const places: Record<Where, string> = {
  client: "Client, before sending",
  server: "Resource server, before calling the facilitator",
  verify: "Facilitator, verify",
  settle: "Facilitator, settle",
  unknown: "Resource server, calling its facilitator",
};

export function RefusalNotice({
  title,
  refusal,
  isOpen = false,
  isExpected = false,
  children,
}: {
  /** Left out if the page's title says the same. */
  title: string | undefined;
  refusal: Refusal;
  /** Set if the payment settled even though it was rejected, or may still settle. */
  isOpen?: boolean;
  /** Set if the payment was meant to be rejected for this reason. */
  isExpected?: boolean;
  /** Actions that may fix the problem. */
  children?: ReactNode;
}) {
  const { reason, where, cause, said, fix, comparison } = refusal;
  const tone = isOpen ? "notice-warn" : isExpected ? "notice-expected" : "notice-neg";
  return (
    <section role="alert" className={`notice ${tone} notice-refusal`}>
      <div className="flex min-w-0 flex-col items-start gap-2">
        {title && <h2 className="text-14 font-semibold">{title}</h2>}
        <p>{cause}</p>
        {said && <p className="text-ink-2">{said}</p>}
        {fix && <p className="font-medium">Fix: {fix}</p>}
        {children}
      </div>
      {(reason || where || comparison) && (
        <div className="notice-facts">
          <InfoList label="Reason">
            {where && <InfoRow label="Where">{places[where]}</InfoRow>}
            {reason && (
              <InfoRow label="Reason">
                <code className="mono">
                  <WrapText text={reason} />
                </code>
              </InfoRow>
            )}
            {comparison && (
              <>
                <InfoRow label="Expected">
                  <FlowValueText value={comparison.asked} />
                </InfoRow>
                <InfoRow label={comparison.label ?? "Got"}>
                  <FlowValueText value={comparison.given} />
                </InfoRow>
              </>
            )}
          </InfoList>
        </div>
      )}
    </section>
  );
}
