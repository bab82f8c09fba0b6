/** The paid resource: its request and price, from its 402 response. */

import { AddressLink } from "@/components/atoms/AddressLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { WrapText } from "@/components/atoms/WrapText";
import { Sheet } from "@/components/layout/Sheet";
import { type Token, toCaip2 } from "@/lib/networks";
import { toPaymentWay } from "@/lib/x402/paymentWay";
import type { PaymentRequired } from "@/lib/x402/types";
import type { PaidCall } from "./exchange";
import { createFormatPrice } from "./flowValue";
import type { Place } from "./urlPrice";

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
  place,
}: {
  call: PaidCall;
  /** The resource's 402 response. */
  offer: PaymentRequired;
  tokens: readonly Token[];
  /** Given for a URL. The content and the seller's network are then shown. */
  place?: Place;
}) {
  const formatPrice = createFormatPrice(
    tokens,
    place?.networks.filter(({ chainId }) => chainId !== place.network.chainId),
  );
  const ids = [...new Set(offer.accepts.map(({ network }) => network))];
  return (
    <Sheet title="Resource" id="resource">
      <InfoList label="Resource">
        <CallRow call={call} />
        {place && offer.resource.description && <InfoRow label="Content">{offer.resource.description}</InfoRow>}
        {offer.accepts.map((requirement) => {
          const way = toPaymentWay(requirement);
          return (
            <InfoRow key={`${requirement.network} ${requirement.scheme} ${requirement.asset}`} label="Price">
              <span className="flex flex-wrap items-center gap-x-3">
                {formatPrice(requirement)} <span className="method">{way.name}</span>
              </span>
              <p className="text-pretty text-12 leading-4 text-ink-2">{way.text}</p>
            </InfoRow>
          );
        })}
        {place && ids.length > 0 && (
          <InfoRow label="Network">
            {ids
              .map((id) => {
                const known = place.networks.find(({ chainId }) => toCaip2(chainId) === id);
                return known ? `${known.label} (${id})` : id;
              })
              .join(", ")}
          </InfoRow>
        )}
        {offer.accepts[0] && (
          <InfoRow label="Payee">
            <AddressLink address={offer.accepts[0].payTo} />
          </InfoRow>
        )}
      </InfoList>
    </Sheet>
  );
}
