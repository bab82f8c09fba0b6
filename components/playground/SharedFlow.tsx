/**
 * Renders the flow in the URL's fragment like a live one. It is untrusted: malformed flows show an error, and no URL in
 * it is ever requested.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { Component, type ReactNode, useMemo, useSyncExternalStore } from "react";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { hasErrorCode } from "@/lib/hasErrorCode";
import { toPaymentPath, toPlaygroundPath } from "@/lib/links";
import { fromLinkText } from "@/lib/payflow/exportFlow";
import { findPaymentId } from "@/lib/payflow/findPaymentId";
import { type Flow, findStep } from "@/lib/payflow/flow";
import { FlowCode } from "./FlowCode";
import { FlowDiagram } from "./FlowDiagram";
import { toFlowEntries } from "./flowEntries";
import { createFormatAmount } from "./flowValue";

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function SharedFlow() {
  const hash = useSyncExternalStore(onHashChange, () => window.location.hash.slice(1));
  const { data: flow, error } = useQuery({ queryKey: ["sharedFlow", hash], queryFn: () => fromLinkText(hash) });
  if (flow) {
    return (
      <FlowBoundary key={hash}>
        <ReadFlow flow={flow} />
      </FlowBoundary>
    );
  }
  if (!error) return <Sheet>Reading the link…</Sheet>;
  return (
    <Broken>{hasErrorCode(error, "INVALID_FLOW_LINK") ? error.message : "A step of the flow is malformed."}</Broken>
  );
}

/** Catches errors that readFlow can't: a field with malformed content fails only when it is rendered. */
class FlowBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <Broken>A step of the flow is malformed.</Broken> : this.props.children;
  }
}

function Broken({ children }: { children: string }) {
  return (
    <Sheet>
      <Empty level="h2" title="Invalid share link">
        {children}
      </Empty>
    </Sheet>
  );
}

function ReadFlow({ flow }: { flow: Flow }) {
  const { network, origin } = useNetworkContext();
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const drawn = useMemo(
    () => ({
      entries: toFlowEntries(flow.steps, formatAmount, { origin, network: flow.network }),
      id: findPaymentId(flow.steps),
    }),
    [flow, formatAmount, origin],
  );
  const isSettled = findStep(flow.steps, "ledger") !== undefined;
  return (
    <>
      <Sheet
        id="exchange"
        title="Timeline"
        aside={
          <span className="flex gap-4 text-12">
            {isSettled && drawn.id && (
              <AppLink href={toPaymentPath(flow.network, drawn.id)} className="text-accent">
                View payment
              </AppLink>
            )}
            {flow.lab !== undefined && (
              <AppLink href={toPlaygroundPath(network.name, "failures")} className="text-accent">
                Run it yourself
              </AppLink>
            )}
          </span>
        }
      >
        <p className="mono break-all border-line border-b px-4 py-2 text-12 text-ink-2">{flow.resource}</p>
        <FlowDiagram entries={drawn.entries} formatAmount={formatAmount} />
      </Sheet>
      <FlowCode steps={flow.steps} />
    </>
  );
}
