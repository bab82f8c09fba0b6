/**
 * The playground's interactive part: payer, pay button, live exchange and paid response. Its code is loaded only on the
 * pages that need it, because it imports the wallet libraries.
 */
"use client";

import { useMemo, useRef, useState } from "react";
import { Snippet } from "@/components/atoms/Snippet";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { toPrettyJson } from "@/lib/json";
import type { PageNetwork } from "@/lib/networks";
import { findStep } from "@/lib/payflow/flow";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import { type PaymentEdits, signEdited } from "@/lib/payflow/tamper";
import type { PaymentPayload } from "@/lib/x402/types";
import { DiagramGhost } from "./DiagramGhost";
import { ExchangeView, useFlowSteps } from "./ExchangeView";
import { type PaidCall, payOnce } from "./exchange";
import { FlowCode } from "./FlowCode";
import { createFormatAmount } from "./flowValue";
import { createForeignFetch } from "./foreignFetch";
import { Outcome } from "./Outcome";
import { PayControl } from "./PayControl";
import { PaymentEditor } from "./PaymentEditor";
import { Stopped } from "./Stopped";
import { showInView } from "./showInView";
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
      <PaidRequest call={call} price={price} isForeign={isForeign} />
    </WalletProvider>
  );
}

function PaidRequest({ call, price, isForeign }: { call: PaidCall; price: string | undefined; isForeign: boolean }) {
  const { network } = useNetworkContext();
  const [payment, setPayment] = useState<PaymentPayload | undefined>(undefined);
  const { connection, error, isOver, isPending, mutate, reset, phase, record, steps } = useExchange<
    PaymentEdits | undefined
  >(async (tools, edits) => {
    const options = {
      ...(isForeign && { fetch: createForeignFetch() }),
      ...(edits && { sign: signEdited(edits) }),
    };
    const outcome = await payOnce(tools, await tools.getPayer(), call, options, tools.onPurse);
    setPayment((last) => outcome.payload ?? last);
    return outcome;
  });
  const shown = useRef<HTMLDivElement>(null);
  function start(edits?: PaymentEdits): void {
    mutate(edits);
    showInView(shown.current);
  }
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const flow = useFlowSteps(steps);
  const isPaid = isOver && findOutcome(steps).settlement?.success === true;
  const content = findStep(steps, "content");
  // While a payment is running, the editor shows the previous payment, if there is one.
  const sent = payment ?? findStep(steps, "signature")?.payload;

  return (
    <>
      <PayControl {...{ connection, isPending, phase, price }} hasPaid={isPaid} onPay={() => start()} />
      <div className="play-outcome">
        {error && (!error.payer || !connection.address || error.payer === connection.address) && (
          <Stopped key={steps[0]?.atMs} error={error} formatAmount={formatAmount} onFunded={reset} />
        )}
        {isOver && <Outcome steps={flow} formatAmount={formatAmount} />}
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
      <div ref={shown} className="play-exchange scroll-mt-4">
        <ExchangeView steps={flow} isPending={isPending} record={record} empty={<DiagramGhost />} />
      </div>
      <div className="play-content">
        {isPaid && content && (
          <Sheet title="Response body" id="result">
            <Snippet code={toPrettyJson(content.body)} what="Response body" />
          </Sheet>
        )}
        {isOver && <FlowCode steps={flow} />}
      </div>
    </>
  );
}
