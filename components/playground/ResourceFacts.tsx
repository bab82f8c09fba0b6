/** The paid resource: its request, content and price, from its 402 response. */

import { AddressLink } from "@/components/atoms/AddressLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { WrapText } from "@/components/atoms/WrapText";
import { Sheet } from "@/components/layout/Sheet";
import type { Token } from "@/lib/networks";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import type { PaidCall } from "./exchange";
import { createFormatAmount } from "./flowValue";

function toSchemeText({ scheme, extra }: PaymentRequirements): string {
  const method = extra?.assetTransferMethod ?? (scheme === "exact" ? "eip3009" : "permit2");
  if (scheme === "exact" && method === "eip3009")
    return "The exact scheme with EIP-3009: you sign, and the facilitator pays the gas.";
  return scheme === "upto"
    ? `The ${scheme} scheme with Permit2: you authorize this maximum and pay only for what you use.`
    : `The ${scheme} scheme with Permit2: you sign, and the facilitator pays the gas.`;
}

export function CallRow({ call: { method, url, body } }: { call: PaidCall }) {
  return (
    <InfoRow label="Request">
      <code className="mono wrap-anywhere">
        <WrapText text={`${method} ${url}`} />
      </code>
      {body !== undefined && <code className="mono block break-all text-ink-2">{body}</code>}
    </InfoRow>
  );
}

export function ResourceFacts({
  call,
  offer,
  tokens,
}: {
  call: PaidCall;
  /** The resource's 402 response. */
  offer: PaymentRequired;
  tokens: readonly Token[];
}) {
  const formatAmount = createFormatAmount(tokens);
  return (
    <Sheet title="Resource" id="resource">
      <InfoList label="Resource">
        <CallRow call={call} />
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
