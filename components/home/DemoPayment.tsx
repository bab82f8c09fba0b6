"use client";
/**
 * Makes one payment per attempt, with the connected account or a burner, and draws the payment's messages and outcome.
 */
import { useEffect, useMemo, useRef } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { isAwaitingBlock, useFlowSteps } from "@/components/playground/ExchangeView";
import { payOnce } from "@/components/playground/exchange";
import { FlowDiagram } from "@/components/playground/FlowDiagram";
import { type FlowEntry, toFlowEntries } from "@/components/playground/flowEntries";
import { createFormatAmount } from "@/components/playground/flowValue";
import { Outcome } from "@/components/playground/Outcome";
import { useCanPay } from "@/components/playground/PayControl";
import { ResponseBody } from "@/components/playground/ResponseBody";
import { Stopped } from "@/components/playground/Stopped";
import { useExchange } from "@/components/playground/useExchange";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import type { Demo } from "./PaymentDemo";

type Props = Omit<Demo, "title" | "price"> & {
  /** Each new number starts a payment. 0 starts none. */
  attempt: number;
  onFinished: (isPaid: boolean) => void;
};

/** Kinds of steps that the playground shows and this demo doesn't. */
const details = new Set<FlowEntry["kind"]>([
  "choice",
  "preflight",
  "typedData",
  "content",
  "ledger",
  "final",
  "balances",
]);

export function DemoPayment({ networks, ...props }: Props) {
  return (
    <WalletProvider networks={networks}>
      <Payment {...props} />
    </WalletProvider>
  );
}

function Payment({ call, attempt, onFinished }: Omit<Props, "networks">) {
  const { network, origin } = useNetworkContext();
  const { connection, isOver, isPending, mutate, steps, stopped } = useExchange<undefined>(async (tools) =>
    payOnce(tools, await tools.getPayer(), call, {}, tools.onPurse),
  );
  const canPay = useCanPay(connection);
  const started = useRef(0);
  // A payment waits until a remembered wallet is reconnected, so that this wallet pays.
  useEffect(() => {
    if (!canPay || started.current === attempt) return;
    started.current = attempt;
    mutate(undefined, { onSettled: (outcome) => onFinished(outcome?.settlement?.success === true) });
  });
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const flow = useFlowSteps(steps);
  const entries = useMemo(
    () => toFlowEntries(flow, formatAmount, { origin, network: network.name }).filter(({ kind }) => !details.has(kind)),
    [flow, formatAmount, origin, network.name],
  );
  return (
    <>
      <div className="play-exchange grid">
        <Sheet id="exchange" title="Timeline">
          <FlowDiagram
            key={steps[0]?.atMs}
            entries={entries}
            formatAmount={formatAmount}
            clock="browser"
            isLive
            isWaiting={isPending || steps.length === 0 || isAwaitingBlock(flow)}
          />
        </Sheet>
      </div>
      <div className="play-outcome">
        {stopped && <Stopped key={steps[0]?.atMs} {...stopped} formatAmount={formatAmount} />}
        {isOver && <Outcome steps={flow} formatAmount={formatAmount} />}
      </div>
      {isOver && findOutcome(steps).settlement?.success === true && (
        <div className="play-result">
          <ResponseBody steps={steps} />
        </div>
      )}
    </>
  );
}
