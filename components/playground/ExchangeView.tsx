/**
 * The current exchange: its diagram, including what was read from the ledger and the chain, and controls to share it.
 */
"use client";

import { type ReactNode, useMemo } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { withChainSteps } from "@/lib/payflow/chainSteps";
import { findFlow } from "@/lib/payflow/exportFlow";
import { findPaymentId } from "@/lib/payflow/findPaymentId";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { FlowDiagram } from "./FlowDiagram";
import { FlowShare } from "./FlowShare";
import { toFlowEntries } from "./flowEntries";
import type { FormatAmount } from "./flowValue";
import { useFactsOf } from "./useChainFacts";
import type { FlowRecord } from "./useFlowRecord";

/** Merges the client's steps with the steps read from the ledger and the chain. */
export function useFlowSteps(steps: readonly FlowStep[]): FlowStep[] {
  const id = useMemo(() => findPaymentId(steps), [steps]);
  const facts = useFactsOf(id);
  return useMemo(() => withChainSteps(steps, facts), [steps, facts]);
}

export function ExchangeView({
  steps,
  isPending,
  lab,
  record,
  formatAmount,
  empty,
}: {
  /** All steps of the exchange, including those from the ledger and the chain. */
  steps: readonly FlowStep[];
  isPending: boolean;
  lab?: string | undefined;
  record: FlowRecord;
  formatAmount: FormatAmount;
  /** Shown before the first request. */
  empty: ReactNode;
}) {
  const { network, origin } = useNetworkContext();
  const entries = useMemo(
    () => toFlowEntries(steps, formatAmount, { origin, network: network.name }),
    [steps, formatAmount, origin, network.name],
  );
  const flow = isPending ? undefined : findFlow(steps, { network, origin, lab });
  if (entries.length === 0) return empty;
  return (
    <Sheet title="Timeline" id="exchange">
      <FlowDiagram
        key={steps[0]?.atMs}
        entries={entries}
        formatAmount={formatAmount}
        clock="browser"
        isLive
        isWaiting={isPending || isAwaitingBlock(steps)}
      />
      {flow && <FlowShare flow={flow} record={record} />}
    </Sheet>
  );
}

/** Whether the payment settled in a transaction whose block hasn't been loaded yet. */
export function isAwaitingBlock(steps: readonly FlowStep[]): boolean {
  const settlement = findStep(steps, "settlement")?.settlement;
  return settlement?.success === true && settlement.transaction !== "" && findStep(steps, "mined") === undefined;
}
