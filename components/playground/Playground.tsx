/**
 * The playground's interactive part: payer, pay button, live exchange and paid response. Its code is loaded only on the
 * pages that need it, because it imports the wallet libraries.
 */
"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import type { PageNetwork } from "@/lib/networks";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import { type PaymentEdits, signEdited } from "@/lib/payflow/tamper";
import type { PaymentPayload, PaymentRequired } from "@/lib/x402/types";
import { DiagramGhost } from "./DiagramGhost";
import { ExchangeView, useFlowSteps } from "./ExchangeView";
import { type PaidCall, payOnce } from "./exchange";
import { FlowCode } from "./FlowCode";
import { createFormatAmount, createFormatPrice } from "./flowValue";
import { createForeignFetch } from "./foreignFetch";
import { Outcome } from "./Outcome";
import { PayControl } from "./PayControl";
import { PaymentEditor } from "./PaymentEditor";
import { ResponseBody } from "./ResponseBody";
import { Stopped } from "./Stopped";
import { showInView } from "./showInView";
import { toUrlPrice, toVisitorError } from "./urlPrice";
import { urlPriceQuery } from "./urlPriceQuery";
import { useExchange } from "./useExchange";

export function Playground({
  networks,
  call,
  price,
  isForeign = false,
}: {
  networks: readonly [PageNetwork, ...PageNetwork[]];
  call: PaidCall;
  /** The price, if it is known before the first request. */
  price?: string;
  /** Set if the URL belongs to another server. This server then fetches it. */
  isForeign?: boolean;
}) {
  return (
    <WalletProvider networks={networks}>
      <PaidRequest networks={networks} call={call} price={price} isForeign={isForeign} />
    </WalletProvider>
  );
}

function PaidRequest({
  networks,
  call,
  price,
  isForeign,
}: {
  networks: readonly PageNetwork[];
  call: PaidCall;
  price: string | undefined;
  isForeign: boolean;
}) {
  const { network } = useNetworkContext();
  const queries = useQueryClient();
  const place = { network, networks };
  const priceQuery = urlPriceQuery(call, network, networks);
  // Only the offer beside this part reads the price.
  const { data: known } = useQuery({ ...priceQuery, enabled: false });
  const [payment, setPayment] = useState<PaymentPayload | undefined>(undefined);
  const { connection, isOver, isPending, mutate, phase, record, steps, stopped } = useExchange<
    PaymentEdits | undefined
  >(async (tools, edits) => {
    const options = {
      ...(isForeign && { fetch: createForeignFetch() }),
      ...(edits && { sign: signEdited(edits) }),
    };
    const watched = isForeign
      ? {
          ...tools,
          record(step: FlowStep) {
            tools.record(step);
            if (step.kind === "paymentRequired") void noteOffer(step.paymentRequired);
          },
        }
      : tools;
    const outcome = await payOnce(watched, await tools.getPayer(), call, options, tools.onPurse).catch((error) => {
      throw toVisitorError(error, place);
    });
    setPayment((last) => outcome.payload ?? last);
    return outcome;
  });
  /** Shows the offer of a payment as the URL's price, so that nobody has to ask for it again. */
  async function noteOffer(offer: PaymentRequired): Promise<void> {
    queries.setQueryData(priceQuery.queryKey, await toUrlPrice(offer, place));
  }
  const shown = useRef<HTMLDivElement>(null);
  function start(edits?: PaymentEdits): void {
    mutate(edits);
    showInView(shown.current);
  }
  const others = useMemo(() => networks.filter(({ name }) => name !== network.name), [networks, network.name]);
  const formatAmount = useMemo(() => createFormatAmount(network.tokens, others), [network.tokens, others]);
  const flow = useFlowSteps(steps);
  const isPaid = isOver && findOutcome(steps).settlement?.success === true;
  // While a payment is running, the editor shows the previous payment, if there is one.
  const sent = payment ?? findStep(steps, "signature")?.payload;

  // The offer says why the URL can't be paid here, so that isn't repeated.
  const isExplained = known !== undefined && "failure" in known && !findStep(steps, "settlement");
  const shownPrice = known && "requirement" in known ? createFormatPrice(network.tokens)(known.requirement) : price;

  // After a change of the account, the notice would be about another payer.
  const failedPayer = stopped?.error.payer;
  const isOfPayer = !failedPayer || !connection.address || failedPayer === connection.address;

  return (
    <>
      {!isExplained && (
        <PayControl {...{ connection, isPending, phase }} price={shownPrice} hasPaid={isPaid} onPay={() => start()} />
      )}
      <div className="play-outcome">
        {stopped && !isExplained && isOfPayer && (
          <Stopped key={steps[0]?.atMs} {...stopped} formatAmount={formatAmount} />
        )}
        {isOver && !isExplained && (
          <Outcome steps={flow} formatAmount={formatAmount}>
            {isPaid && findStep(steps, "content") && (
              <a href="#result" className="text-accent">
                See the response
              </a>
            )}
          </Outcome>
        )}
        {network.embedded && sent && (
          <PaymentEditor
            payment={sent}
            isPending={isPending}
            onSend={(edits) => {
              setPayment(sent);
              start(edits);
            }}
          />
        )}
      </div>
      <div className="play-result [&_h2]:scroll-mt-8">{isPaid && <ResponseBody steps={steps} />}</div>
      <div ref={shown} className="play-exchange scroll-mt-4 [&_h2]:scroll-mt-8">
        <ExchangeView
          steps={flow}
          isPending={isPending}
          record={record}
          formatAmount={formatAmount}
          empty={<DiagramGhost />}
        />
      </div>
      <div className="play-code">{isOver && <FlowCode steps={flow} />}</div>
    </>
  );
}
