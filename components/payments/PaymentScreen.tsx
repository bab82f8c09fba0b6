/** A payment's page: payer, payee, amount, resource, status, and its path through the ledger and the chain. */
"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { TokenAmount } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { TxLink } from "@/components/atoms/TxLink";
import { WrapText } from "@/components/atoms/WrapText";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { PaymentCost } from "@/components/payments/PaymentCost";
import { PaymentFlow } from "@/components/payments/PaymentFlow";
import { PaymentHead } from "@/components/payments/PaymentHead";
import { useFactsOf } from "@/components/playground/useChainFacts";
import { formatDate } from "@/lib/formatTime";
import { toPaymentPath, toPaymentsPath, toSectionPath } from "@/lib/links";
import type { ChainFacts } from "@/lib/payflow/chainSteps";
import { paymentQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { toShownText } from "@/lib/shownText";
import { findReason } from "@/lib/x402/reason";

export function PaymentScreen({ id }: { id: string }) {
  return (
    <>
      <PaymentHead id={id} />
      <PaymentContent id={id} />
    </>
  );
}

function PaymentContent({ id }: { id: string }) {
  const { source, network } = useNetworkContext();
  const query = paymentQuery(source, id);
  const { data, error, refetch } = useQuery(query);
  const facts = useFactsOf(id);
  if (!data) {
    return (
      <Sheet>
        {error ? (
          <QueryFailure error={error} method="explorer_getPayment" onRetry={refetch} />
        ) : (
          <SkeletonRows rows={10} label="Loading payments" />
        )}
      </Sheet>
    );
  }
  // If `id` is a transaction hash, the data contains the transaction's payments, which have other IDs.
  const payment = data.find((candidate) => candidate.id === id);
  if (!payment) {
    return (
      <Sheet>
        <Empty level="h2" title="Payment not found">
          <p>Payments rejected before verification aren’t recorded.</p>
          <AppLink href={toSectionPath(network.name, "payments")} className="button">
            View all payments
          </AppLink>
        </Empty>
      </Sheet>
    );
  }
  return <FoundPayment payment={payment} facts={facts} />;
}

function FoundPayment({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  return (
    <>
      <Sheet>
        <PaymentFacts payment={payment} facts={facts} />
      </Sheet>
      <PaymentCost payment={payment} facts={facts} />
      <Sheet id="flow" title="Timeline">
        <PaymentFlow payment={payment} facts={facts} />
      </Sheet>
    </>
  );
}

function PaymentFacts({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { network } = useNetworkContext();
  const known = payment.reason === null ? undefined : findReason(payment.reason);
  const receivedAt = Math.floor(Number(payment.createdAt) / 1000);
  const rows: [label: string, value: ReactNode, show?: boolean][] = [
    [
      "Reason",
      <span key="reason">
        <code className="mono">
          <WrapText text={payment.reason ?? ""} />
        </code>
        {known && <p className="text-ink-2">{`${known.cause} ${known.fix}`}</p>}
      </span>,
      payment.reason !== null,
    ],
    [
      "Permitted",
      <TokenAmount key="authorised" units={BigInt(payment.amount)} token={payment.asset} />,
      payment.settledAmount !== null && BigInt(payment.settledAmount) !== BigInt(payment.amount),
    ],
    ["Payer", <PartyLink key="payer" address={payment.payer} filter="payer" />],
    ["Payee", <PartyLink key="payee" address={payment.payee} filter="payee" />],
    [
      "Resource",
      <AppLink
        key="resource"
        href={toPaymentsPath(network.name, { resource: payment.resource ?? "" })}
        className="wrap-anywhere"
      >
        <WrapText text={toShownText(payment.resource ?? "", 4096)} />
      </AppLink>,
      payment.resource !== null,
    ],
    [
      "Description",
      <span key="description" className="wrap-anywhere">
        {payment.description}
      </span>,
      payment.description !== null,
    ],
    [
      "Media type",
      <code key="mimeType" className="mono">
        {payment.mimeType}
      </code>,
      payment.mimeType !== null,
    ],
    ["Settlement", <TxLink key="transaction" full hash={payment.transaction ?? ""} />, payment.transaction !== null],
    ["Block", <BlockLink key="block" number={Number(facts.receipt?.blockNumber ?? 0)} />, facts.receipt !== undefined],
    [
      "Received",
      <span key="created">
        <Age timestamp={receivedAt} /> <span className="text-ink-3">{formatDate(receivedAt)}</span>
      </span>,
    ],
    [
      "Authorization nonce",
      <span key="nonce" className="identifier">
        <Hash value={payment.nonce} />
        <Copy value={payment.nonce} what="Authorization nonce" />
      </span>,
    ],
    [
      "Refund of",
      <AppLink key="refundOf" href={toPaymentPath(network.name, payment.refundOf ?? "")}>
        <Hash value={payment.refundOf ?? ""} short />
      </AppLink>,
      payment.refundOf !== null,
    ],
    [
      "Refunded",
      <span key="refund" className="flex flex-wrap items-center gap-x-3">
        <TokenAmount units={BigInt(payment.refundedAmount ?? 0)} token={payment.asset} />
        {payment.refundTransaction && <TxLink hash={payment.refundTransaction} />}
      </span>,
      payment.refundedAmount !== null,
    ],
  ];
  return (
    <InfoList label="Payment">
      {rows
        .filter(([, , show = true]) => show)
        .map(([label, value]) => (
          <InfoRow key={label} label={label}>
            {value}
          </InfoRow>
        ))}
    </InfoList>
  );
}

function PartyLink({ address, filter }: { address: string; filter: "payer" | "payee" }) {
  const { network } = useNetworkContext();
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4">
      <AddressLink full address={address} />
      <AppLink href={toPaymentsPath(network.name, { [filter]: address })} className="py-0.5 text-13 text-accent">
        All payments
      </AppLink>
    </span>
  );
}
