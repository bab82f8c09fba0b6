/** What is for sale and its price, as the resource itself says. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Sheet } from "@/components/layout/Sheet";
import type { Token } from "@/lib/networks";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import type { PaidCall } from "./exchange";
import { createFormatAmount } from "./flowValue";

function toSchemeText({ scheme, extra }: PaymentRequirements): string {
  const method = extra?.assetTransferMethod ?? (scheme === "exact" ? "eip3009" : "permit2");
  if (scheme === "exact" && method === "eip3009")
    return "Scheme exact by EIP-3009: you sign, the facilitator pays the gas.";
  return scheme === "upto"
    ? `Scheme ${scheme}: you permit this much and are charged for what you use.`
    : `Scheme ${scheme} by Permit2: you sign, the facilitator pays the gas.`;
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
    <Sheet title="Resource" id="resource">
      <InfoList label="Resource">
        <InfoRow label="Request">
          <code className="mono break-all">
            {call.method} {call.url}
          </code>
          {call.body !== undefined && <code className="mono block break-all text-ink-2">{call.body}</code>}
        </InfoRow>
        {offer.resource.description && <InfoRow label="Content">{offer.resource.description}</InfoRow>}
        {offer.accepts.map((requirement) => (
          <InfoRow key={`${requirement.scheme} ${requirement.asset}`} label="Price">
            {formatAmount(requirement)}
            <p className="text-12 leading-4 text-ink-2">{toSchemeText(requirement)}</p>
          </InfoRow>
        ))}
        {offer.accepts[0] && (
          <InfoRow label="Payee">
            <AddressLink address={offer.accepts[0].payTo} />
          </InfoRow>
        )}
      </InfoList>
    </Sheet>
  );
}
