/**
 * Says why nothing was paid: the rule, what was asked and what was given, and what to do about it.
 */
import type { ReactNode } from "react";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { t } from "@/lib/messages/translatePlay";
import { FlowValueText } from "./FlowText";
import type { Refusal } from "./refusal";

export function RefusalNotice({
  title,
  refusal,
  children,
}: {
  title: string;
  refusal: Refusal;
  /** What can be done about it at once. */
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
          <InfoList label={t("play.rule")}>
            {where && <InfoRow label={t("play.where")}>{t(`play.where.${where}`)}</InfoRow>}
            {reason && (
              <InfoRow label={t("play.rule")}>
                <code className="mono">{reason}</code>
              </InfoRow>
            )}
            {comparison && (
              <>
                <InfoRow label={t("play.asked")}>
                  <FlowValueText value={comparison.asked} />
                </InfoRow>
                <InfoRow label={t("play.given")}>
                  <FlowValueText value={comparison.given} />
                </InfoRow>
              </>
            )}
          </InfoList>
        </div>
      )}
      {fix && <p>{t("play.fix", { fix })}</p>}
      {children}
    </section>
  );
}
