"use client";
/** A payment's path through the ledger and the chain in four lanes, with the HTTP exchange if it was recorded. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { FlowDiagram } from "@/components/playground/FlowDiagram";
import { FlowShare, retentionText } from "@/components/playground/FlowShare";
import { toFlowEntries } from "@/components/playground/flowEntries";
import { createFormatAmount } from "@/components/playground/flowValue";
import { useFactsOf } from "@/components/playground/useChainFacts";
import { type ChainFacts, toLedgerSteps, withChainSteps } from "@/lib/payflow/chainSteps";
import type { Flow } from "@/lib/payflow/flow";
import { exchangeQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";

/** Loads the payment's on-chain facts and shows the flow, for pages that haven't loaded these facts yet. */
export function TransactionPaymentFlow({ payment }: { payment: Payment }) {
  return <PaymentFlow payment={payment} facts={useFactsOf(payment.id)} />;
}

export function PaymentFlow({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { network, source, origin } = useNetworkContext();
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const { data: exchange } = useQuery(exchangeQuery(source, payment.id));
  const recorded = exchange?.flow as Flow | undefined;
  const steps = recorded ? withChainSteps(recorded.steps, { ...facts, payment }) : toLedgerSteps({ ...facts, payment });
  const entries = toFlowEntries(steps, formatAmount, { origin, network: network.name });
  return (
    <>
      {entries.length > 0 ? (
        <FlowDiagram entries={entries} formatAmount={formatAmount} clock="node" />
      ) : (
        <Empty title="Received; not verified yet" />
      )}
      {exchange && recorded && <FlowShare flow={recorded} record={{ id: exchange.id, failure: undefined }} />}
      {exchange === null && (
        <p className="border-line border-t px-4 py-2 text-12 text-ink-2">
          {`The HTTP exchange wasn’t recorded. The node records only payments made in the playground or for its own resources. ${retentionText}`}
        </p>
      )}
    </>
  );
}
