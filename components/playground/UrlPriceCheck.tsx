/**
 * Shows what a URL costs, on which network and to whom, before anything is signed. If another network of this node can
 * pay, links to the same page there.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toPayUrlPath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";
import type { PaidCall } from "./exchange";
import { RefusalNotice } from "./RefusalNotice";
import { CallRow, ResourceFacts } from "./ResourceFacts";
import { listPayable, type UrlPrice } from "./urlPrice";
import { urlPriceQuery } from "./urlPriceQuery";

export function UrlPriceCheck({
  call,
  networks,
  isAsked,
  price,
}: {
  call: PaidCall;
  networks: readonly PageNetwork[];
  /** Whether the visitor asked for the price. If not, the URL is not requested. */
  isAsked: boolean;
  /** The price, if the server knows it. */
  price: UrlPrice | undefined;
}) {
  const { network } = useNetworkContext();
  const { data, error, isFetching } = useQuery({
    ...urlPriceQuery(call, network, networks),
    enabled: isAsked,
    ...(price && { initialData: price }),
  });
  const failure = data && "failure" in data ? data : undefined;
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {data?.offer ? (
        <ResourceFacts call={call} offer={data.offer} tokens={network.tokens} place={{ network, networks }} />
      ) : (
        // On errors, the notice says everything.
        (isFetching || !(failure || error)) && (
          <Sheet title="Resource" id="resource">
            <InfoList label="Resource">
              <CallRow call={call} />
              <InfoRow label="Price">{isFetching ? "Requesting the price…" : "Press “Get the price”."}</InfoRow>
            </InfoList>
          </Sheet>
        )
      )}
      {failure && (
        <RefusalNotice title={failure.failure.title} refusal={failure.failure} isOpen={failure.isFree}>
          {listPayable(failure.offer, networks).map(({ name, label }) => (
            <AppLink key={name} bare href={toPayUrlPath(name, call)} className="button button-primary">
              Pay on {label}
            </AppLink>
          ))}
        </RefusalNotice>
      )}
      {error && <RefusalNotice title="Couldn’t get the price" refusal={{ cause: error.message }} />}
    </div>
  );
}
