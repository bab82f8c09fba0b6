/**
 * Shows a URL's price before anything is signed. A click on the button requests the URL without paying, to read its
 * price.
 */
"use client";

import { useMutation } from "@tanstack/react-query";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { PaymentRequired } from "@/lib/x402/types";
import type { PaidCall } from "./exchange";
import { createForeignFetch } from "./foreignFetch";
import { RefusalNotice } from "./RefusalNotice";
import { CallRow, ResourceFacts } from "./ResourceFacts";
import { readUrlPrice } from "./urlPrice";

export function UrlPriceCheck({ call, offer }: { call: PaidCall; offer: PaymentRequired | undefined }) {
  const { network } = useNetworkContext();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => readUrlPrice(call, network, createForeignFetch()),
  });
  const known = data && "offer" in data ? data.offer : offer;
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {known ? (
        <ResourceFacts call={call} offer={known} tokens={network.tokens} />
      ) : (
        <Sheet title="Resource" id="resource">
          <InfoList label="Resource">
            <CallRow call={call} />
            <InfoRow label="Price">
              <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
                {isPending ? "Requesting the price…" : "Check the price"}
              </button>
            </InfoRow>
          </InfoList>
        </Sheet>
      )}
      {data && "failure" in data && (
        <RefusalNotice title={data.failure.title} refusal={data.failure} isOpen={data.isFree} />
      )}
      {error && <RefusalNotice title="Couldn’t get the price" refusal={{ cause: error.message }} />}
    </div>
  );
}
