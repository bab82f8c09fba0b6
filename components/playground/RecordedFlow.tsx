/**
 * A recorded exchange, shown in the same way as a live one. Its content is untrusted, so no URL in it is ever
 * requested.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { formatDate } from "@/lib/formatTime";
import { toPlaygroundPath, toResourcePagePath, toSectionPath } from "@/lib/links";
import { withChainSteps } from "@/lib/payflow/chainSteps";
import { type Flow, findStep } from "@/lib/payflow/flow";
import { exchangeQuery } from "@/lib/query/queries";
import { FlowCode } from "./FlowCode";
import { FlowDiagram } from "./FlowDiagram";
import { FlowShare, retentionText } from "./FlowShare";
import { toFlowEntries } from "./flowEntries";
import { createFormatAmount } from "./flowValue";
import { Outcome } from "./Outcome";
import { useFactsOf } from "./useChainFacts";

export function RecordedFlow({
  id,
  paymentId,
  title,
}: {
  id: string;
  paymentId: string | undefined;
  /** The result of the recorded exchange, which is the page's title. */
  title: string;
}) {
  const { network, source } = useNetworkContext();
  const { data, error, refetch } = useQuery(exchangeQuery(source, id));
  if (data)
    return (
      <ReadFlow
        id={id}
        flow={data.flow as Flow}
        createdAtMs={Number(data.createdAt)}
        isWitnessed={data.payment !== null}
        paymentId={paymentId}
        title={title}
      />
    );
  return (
    <>
      <h1>{title}</h1>
      <Sheet>
        {error && <QueryFailure error={error} method="explorer_getExchange" onRetry={refetch} />}
        {!error && data === undefined && <SkeletonRows rows={10} label="Loading the flow" />}
        {data === null && (
          <Empty level="h2" title="Flow not found">
            <p>{retentionText} This one was deleted, or the link is incomplete.</p>
            <AppLink href={toSectionPath(network.name, "playground")} className="button">
              Open the playground
            </AppLink>
          </Empty>
        )}
      </Sheet>
    </>
  );
}

/** The link to the page that does the same. The playground itself only pays for this node's resources. */
function toTryLink({ lab, resource }: Flow, origin: string, network: string): { href: string; label: string } {
  if (lab !== undefined) return { href: toPlaygroundPath(network, "failures"), label: "Run it yourself" };
  return resource.startsWith(`${origin}/`)
    ? { href: toResourcePagePath(network, resource.slice(origin.length)), label: "Try this payment" }
    : { href: toSectionPath(network, "playground"), label: "Open the playground" };
}

function ReadFlow({
  id,
  flow,
  createdAtMs,
  isWitnessed,
  paymentId,
  title,
}: {
  id: string;
  flow: Flow;
  /** When the exchange was recorded. */
  createdAtMs: number;
  /** Whether this node served the paid request itself. */
  isWitnessed: boolean;
  paymentId: string | undefined;
  title: string;
}) {
  const { network, origin } = useNetworkContext();
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const facts = useFactsOf(paymentId);
  const steps = useMemo(() => withChainSteps(flow.steps, facts), [flow.steps, facts]);
  const entries = toFlowEntries(steps, formatAmount, { origin, network: network.name });
  const tryLink = toTryLink(flow, origin, network.name);
  return (
    <>
      <div className="flex flex-col gap-1">
        <h1>{title}</h1>
        <p className="mono wrap-anywhere">
          <WrapText text={flow.resource} />
        </p>
        <p className="text-pretty text-14 text-ink-2">
          Recorded on {formatDate(Math.floor(createdAtMs / 1000))} by{" "}
          {isWitnessed ? "this node when it served the paid request." : "the payer’s browser."}
          {!isWitnessed && findStep(steps, "settlement") && " The settlement and its block come from this network."}
          {findStep(steps, "content") && " The response isn’t kept."}
        </p>
      </div>
      <div className="play-outcome">
        <Outcome steps={steps} formatAmount={formatAmount} pageTitle={title} />
      </div>
      <Sheet
        id="exchange"
        title="Timeline"
        aside={
          <AppLink href={tryLink.href} className="button">
            {tryLink.label}
          </AppLink>
        }
      >
        <FlowDiagram entries={entries} formatAmount={formatAmount} clock={isWitnessed ? "node" : "browser"} />
        <FlowShare flow={flow} record={{ id, failure: undefined }} />
      </Sheet>
      <FlowCode folds steps={steps} />
    </>
  );
}
