/**
 * What is for sale and for how much, as the resource itself says it.
 */
import { AddressLink } from "@/components/chain/AddressLink";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translatePlay";
import type { Token } from "@/lib/networks";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import type { PaidCall } from "./exchange";
import { createFormatAmount } from "./flowValue";

function toSchemeText({ scheme, extra }: PaymentRequirements): string {
  const method = extra?.assetTransferMethod ?? (scheme === "exact" ? "eip3009" : "permit2");
  if (scheme === "exact" && method === "eip3009") return t("play.scheme.exact");
  return t(scheme === "upto" ? "play.scheme.upto" : "play.scheme.other", { scheme });
}

export function ResourceFacts({
  call,
  offer,
  tokens,
}: {
  call: PaidCall;
  /** The resource's 402 answer. */
  offer: PaymentRequired;
  tokens: readonly Token[];
}) {
  const formatAmount = createFormatAmount(tokens);
  return (
    <Sheet title={t("play.resource")} id="resource">
      <InfoList label={t("play.resource")}>
        <InfoRow label={t("play.request")}>
          <code className="mono break-all">
            {call.method} {call.url}
          </code>
          {call.body !== undefined && <code className="mono block break-all text-ink-2">{call.body}</code>}
        </InfoRow>
        {offer.resource.description && <InfoRow label={t("play.content")}>{offer.resource.description}</InfoRow>}
        {offer.accepts.map((requirement) => (
          <InfoRow key={`${requirement.scheme} ${requirement.asset}`} label={t("play.price")}>
            {formatAmount(requirement)}
            <p className="text-12 leading-4 text-ink-2">{toSchemeText(requirement)}</p>
          </InfoRow>
        ))}
        {offer.accepts[0] && (
          <InfoRow label={t("play.payee")}>
            <AddressLink address={offer.accepts[0].payTo} />
          </InfoRow>
        )}
      </InfoList>
    </Sheet>
  );
}
