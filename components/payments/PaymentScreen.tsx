/**
 * A payment's own page: what was paid by whom for what, its way through the ledger and the chain, and what became of it
 * since.
 */
"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { Age } from "@/components/chain/Age";
import { NativeAmount, TokenAmount } from "@/components/chain/Amount";
import { BlockLink } from "@/components/chain/BlockLink";
import { Copy } from "@/components/chain/Copy";
import { Hash } from "@/components/chain/Hash";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { Status, toStatusName } from "@/components/chain/Status";
import { TxLink } from "@/components/chain/TxLink";
import { DataLinks } from "@/components/explorer/DataLinks";
import { QueryFailure } from "@/components/explorer/QueryFailure";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { FlowTimeline } from "@/components/playground/FlowTimeline";
import { toFlowEntries } from "@/components/playground/flowEntries";
import { createFormatAmount } from "@/components/playground/flowValue";
import { useFactsOf } from "@/components/playground/useChainFacts";
import { formatDate } from "@/lib/formatTime";
import { toPaymentPath, toPaymentsPath, toSectionPath } from "@/lib/links";
import { t } from "@/lib/messages/translatePayment";
import { type ChainFacts, toLedgerSteps } from "@/lib/payflow/chainSteps";
import { paymentQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";
import { findReason } from "@/lib/x402/reason";

export function PaymentScreen({ id }: { id: string }) {
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
          <SkeletonRows rows={10} label={t("loading.payments")} />
        )}
      </Sheet>
    );
  }
  // A transaction's hash finds the payments in it, which have ids of their own.
  const payment = data.find((candidate) => candidate.id === id);
  if (!payment) {
    return (
      <Sheet>
        <Empty level="h2" title={t("payment.missing")}>
          <p>{t("payment.missingHint", { network: network.label })}</p>
          <AppLink href={toSectionPath(network.name, "payments")} className="button">
            {t("payment.toLedger")}
          </AppLink>
        </Empty>
      </Sheet>
    );
  }
  return (
    <>
      <Sheet
        id="payment"
        title={t("payment.facts")}
        aside={<DataLinks method="explorer_getPayment" params={query.queryKey[2]} />}
      >
        <PaymentFacts payment={payment} facts={facts} />
      </Sheet>
      <PaymentFlow payment={payment} facts={facts} />
    </>
  );
}

function PaymentFacts({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { network } = useNetworkContext();
  const known = payment.reason === null ? undefined : findReason(payment.reason);
  const receivedAt = Math.floor(Number(payment.createdAt) / 1000);
  const rows: [label: string, value: ReactNode, show?: boolean][] = [
    [
      t("payment.state"),
      <span key="state" className="flex flex-wrap items-center gap-x-3">
        <Status name={toStatusName(payment.state)} />
        <span className="method">{payment.scheme}</span>
      </span>,
    ],
    [
      t("payment.reason"),
      <span key="reason">
        <code className="mono">{payment.reason}</code>
        {known && <p className="text-ink-2">{`${known.cause} ${known.fix}`}</p>}
      </span>,
      payment.reason !== null,
    ],
    [
      t("payment.amount"),
      <TokenAmount key="amount" units={BigInt(payment.settledAmount ?? payment.amount)} token={payment.asset} copy />,
    ],
    [
      t("payment.authorised"),
      <TokenAmount key="authorised" units={BigInt(payment.amount)} token={payment.asset} />,
      payment.settledAmount !== null && BigInt(payment.settledAmount) !== BigInt(payment.amount),
    ],
    [t("payment.payer"), <PartyLink key="payer" address={payment.payer} filter="payer" />],
    [t("payment.payee"), <PartyLink key="payee" address={payment.payee} filter="payee" />],
    [
      t("payment.resource"),
      <AppLink
        key="resource"
        href={toPaymentsPath(network.name, { resource: payment.resource ?? "" })}
        className="break-all"
      >
        {payment.resource}
      </AppLink>,
      payment.resource !== null,
    ],
    [
      t("payment.transaction"),
      <TxLink key="transaction" full hash={payment.transaction ?? ""} />,
      payment.transaction !== null,
    ],
    [
      t("play.block"),
      <BlockLink key="block" number={Number(facts.receipt?.blockNumber ?? 0)} />,
      facts.receipt !== undefined,
    ],
    [
      t("payment.gas"),
      <span key="gas" className="flex flex-wrap items-center gap-x-3">
        {formatInteger(BigInt(payment.gasUsed ?? 0))}
        <NativeAmount wei={BigInt(payment.gasCost ?? 0)} />
        <span className="text-ink-2">{t("payment.batch", { count: Number(payment.batchSize ?? 1) })}</span>
      </span>,
      payment.gasUsed !== null,
    ],
    [
      t("payment.created"),
      <span key="created">
        <Age timestamp={receivedAt} /> <span className="text-ink-3">{formatDate(receivedAt)}</span>
      </span>,
    ],
    [
      t("payment.nonce"),
      <span key="nonce" className="identifier">
        <Hash value={payment.nonce} />
        <Copy value={payment.nonce} what={t("payment.nonce")} />
      </span>,
    ],
    [
      t("payment.refundOf"),
      <AppLink key="refundOf" href={toPaymentPath(network.name, payment.refundOf ?? "")}>
        <Hash value={payment.refundOf ?? ""} characters={26} />
      </AppLink>,
      payment.refundOf !== null,
    ],
    [
      t("payment.refund"),
      <span key="refund" className="flex flex-wrap items-center gap-x-3">
        <TokenAmount units={BigInt(payment.refundedAmount ?? 0)} token={payment.asset} />
        {payment.refundTransaction && <TxLink hash={payment.refundTransaction} />}
      </span>,
      payment.refundedAmount !== null,
    ],
  ];
  return (
    <InfoList label={t("payment.facts")}>
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
    <span className="flex flex-wrap items-center gap-x-4">
      <AddressLink full address={address} />
      <AppLink href={toPaymentsPath(network.name, { [filter]: address })} className="text-12 text-ink-2">
        {t("payment.others")}
      </AppLink>
    </span>
  );
}

function PaymentFlow({ payment, facts }: { payment: Payment; facts: ChainFacts }) {
  const { network, origin } = useNetworkContext();
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const steps = toLedgerSteps({ ...facts, payment });
  const entries = toFlowEntries(steps, formatAmount, { origin, network: network.name });
  return (
    <Sheet id="flow" title={t("payment.flow")}>
      {entries.length > 0 ? (
        <FlowTimeline entries={entries} formatAmount={formatAmount} />
      ) : (
        <Empty title={t("payment.flowNone")} />
      )}
    </Sheet>
  );
}
