/** The result of an exchange: settled, stopped, or rejected with the reason and the expected and actual values. */
"use client";

import type { ReactNode } from "react";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import type { Reason } from "@/lib/x402/reason";
import { toFlowTitle } from "./flowTitle";
import type { FormatAmount } from "./flowValue";
import { RefusalNotice } from "./RefusalNotice";
import { toHeadline, toRefusal } from "./refusal";
import { Settlement } from "./Settlement";
import { toUnpricedFailure } from "./urlPrice";

export function Outcome({
  steps,
  formatAmount,
  pageTitle,
  expectedReason,
  isReasonKnown = false,
  children,
}: {
  /** All steps of the exchange, including those from the ledger and the chain. */
  steps: readonly FlowStep[];
  formatAmount: FormatAmount;
  /** The title of the page, if it says the result. The notice doesn't repeat it. */
  pageTitle?: string;
  /** The reason that the failure lab's case is meant to get. */
  expectedReason?: Reason | undefined;
  /** Whether the reason of a rejection is shown above. */
  isReasonKnown?: boolean | undefined;
  /** Follow-up actions. */
  children?: ReactNode;
}) {
  const { settlement, payload, payer, refusal, status, stopped, wasSent } = findOutcome(steps);
  const toTitle = (title: string) => (pageTitle?.startsWith(title) ? undefined : title);
  if (settlement?.success && payload && payer && refusal === undefined) {
    const receipt = findStep(steps, "mined")?.receipt;
    const payment = findStep(steps, "ledger")?.payment;
    return (
      <Settlement
        title={toTitle(toFlowTitle(steps, formatAmount))}
        payer={payer}
        requirement={payload.accepted}
        transaction={settlement.transaction}
        paymentId={payment?.id}
        blockNumber={receipt && Number(receipt.blockNumber)}
      >
        {children}
      </Settlement>
    );
  }
  if (stopped !== undefined) return <StoppedNotice wasSent={wasSent} cause={stopped} pageTitle={pageTitle} />;
  if (refusal === undefined) {
    if (status === undefined || status === 402) {
      const cause = `The server returned ${status === undefined ? "nothing" : "HTTP 402"}. Open the response in the timeline for details.`;
      return <RefusalNotice title={toTitle("Payment not sent")} refusal={{ cause }} />;
    }
    const { title, cause, fix } = toUnpricedFailure(status);
    return <RefusalNotice title={toTitle(title)} refusal={{ cause, ...(fix && { fix }) }} isOpen={status < 400} />;
  }
  const { title, isOpen } = toHeadline(refusal, steps);
  const { reason, ...explained } = toRefusal(refusal, steps, formatAmount);
  const isExpected = reason !== undefined && reason === expectedReason;
  return (
    <RefusalNotice
      title={toTitle(isExpected && !isOpen ? `${title}, as expected` : title)}
      isOpen={isOpen}
      isExpected={isExpected}
      refusal={{ ...explained, ...(reason && !isReasonKnown && { reason }) }}
    >
      {children}
    </RefusalNotice>
  );
}

export function StoppedNotice({
  wasSent,
  cause,
  pageTitle,
  children,
}: {
  wasSent: boolean;
  cause: string;
  pageTitle?: string | undefined;
  children?: ReactNode;
}) {
  const title = wasSent ? "Payment sent, result unknown" : "Payment not sent";
  return (
    <RefusalNotice
      isOpen={wasSent}
      title={title === pageTitle ? undefined : title}
      refusal={{ ...(!wasSent && { where: "client" as const }), cause }}
    >
      {children}
    </RefusalNotice>
  );
}
