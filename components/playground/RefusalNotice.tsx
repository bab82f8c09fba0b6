/** Explains why a payment was refused: the rule, the required and given values, and what to do about it. */
import type { ReactNode } from "react";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { FlowValueText } from "./FlowText";
import type { Refusal, Where } from "./refusal";

const places: Record<Where, string> = {
  client: "Client: nothing was sent",
  server: "Resource server, before any facilitator was asked",
  verify: "Facilitator, at verify",
  settle: "Facilitator, at settle",
  unknown: "Resource server, asking its facilitator",
};

export function RefusalNotice({
  title,
  refusal,
  children,
}: {
  title: string;
  refusal: Refusal;
  /** Actions that may fix it at once. */
  children?: ReactNode;
}) {
  const { reason, where, cause, said, fix, comparison } = refusal;
  return (
    <section role="alert" className="notice notice-neg flex flex-col items-start gap-2">
      <h2 className="text-14 font-semibold">{title}</h2>
      <p>{cause}</p>
      {said && <p className="text-ink-2">{said}</p>}
      {(reason || where || comparison) && (
        <div className="notice-facts">
          <InfoList label="Reason">
            {where && <InfoRow label="Where">{places[where]}</InfoRow>}
            {reason && (
              <InfoRow label="Reason">
                <code className="mono">{reason}</code>
              </InfoRow>
            )}
            {comparison && (
              <>
                <InfoRow label="Expected">
                  <FlowValueText value={comparison.asked} />
                </InfoRow>
                <InfoRow label="Got">
                  <FlowValueText value={comparison.given} />
                </InfoRow>
              </>
            )}
          </InfoList>
        </div>
      )}
      {fix && <p>Fix: {fix}</p>}
      {children}
    </section>
  );
}
