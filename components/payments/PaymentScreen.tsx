/** A payment's page: payer, payee, amount, resource, status, and its path through the ledger and the chain. */
"use client";

import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { BlockLink } from "@/components/atoms/BlockLink";
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { Hash } from "@/components/atoms/Hash";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { TxLink } from "@/components/atoms/TxLink";
import { ResourceUrl } from "@/components/atoms/Url";
import { WrapText } from "@/components/atoms/WrapText";
import { LabelLink } from "@/components/labels/LabelLink";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { PaidAmount } from "@/components/payments/PaidAmount";
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
        {/* On tablets, leaves room for a whole hash. */}
        <div className="sm:max-xl:[&_.info-row]:grid-cols-[7.5rem_minmax(0,1fr)]">
          <PaymentFacts payment={payment} facts={facts} />
        </div>
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
  const { amount, asset, settledAmount, refundedAmount, refundTransaction, payer, payee, mimeType, refundOf } = payment;
  const receivedAt = Math.floor(Number(payment.createdAt) / 1000);
  return (
    <>
      <InfoList columns label="Payment">
        <InfoRow label="Payer">
          <span className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
            <AddressLink full address={payer} />
            <LabelLink address={payer} />
          </span>
        </InfoRow>
        <InfoRow label="Payee">
          <AddressLink full address={payee} />
        </InfoRow>
        <InfoRow label="All payments">
          <PartyLinks payer={payer} payee={payee} />
        </InfoRow>
        <InfoRow second label="Received">
          <Age timestamp={receivedAt} />{" "}
          <span className="whitespace-nowrap text-ink-3 sm:ml-2">{formatDate(receivedAt)}</span>
        </InfoRow>
        {facts.receipt && (
          <InfoRow second label="Block">
            <BlockLink number={Number(facts.receipt.blockNumber)} />
          </InfoRow>
        )}
        {settledAmount !== null && BigInt(settledAmount) !== BigInt(amount) && (
          <InfoRow second label="Permitted">
            <PaidAmount units={BigInt(amount)} token={asset} />
          </InfoRow>
        )}
        {refundedAmount !== null && (
          <InfoRow second label="Refunded">
            <span className="flex flex-wrap items-center gap-x-3">
              <PaidAmount units={BigInt(refundedAmount)} token={asset} />
              {refundTransaction && <TxLink hash={refundTransaction} />}
            </span>
          </InfoRow>
        )}
        {mimeType !== null && (
          <InfoRow second label="Media type">
            <code className="mono">{mimeType}</code>
          </InfoRow>
        )}
        {refundOf !== null && (
          <InfoRow second label="Refund of">
            <AppLink href={toPaymentPath(network.name, refundOf)}>
              <Hash value={refundOf} short />
            </AppLink>
          </InfoRow>
        )}
      </InfoList>
      <LongFacts payment={payment} />
    </>
  );
}

/** Links to the ledger with the payments of each party. */
function PartyLinks({ payer, payee }: Pick<Payment, "payer" | "payee">) {
  const { network } = useNetworkContext();
  return (
    <span className="flex flex-wrap gap-x-4">
      <AppLink href={toPaymentsPath(network.name, { payer })}>From this payer</AppLink>
      <AppLink href={toPaymentsPath(network.name, { payee })}>To this payee</AppLink>
    </span>
  );
}

/** The facts that need a whole line. */
function LongFacts({ payment }: { payment: Payment }) {
  const { network } = useNetworkContext();
  const { reason, resource, description, transaction, nonce } = payment;
  const known = reason === null ? undefined : findReason(reason);
  return (
    <InfoList label="Resource and settlement">
      {reason !== null && (
        <InfoRow label="Reason">
          <code className="mono">
            <WrapText text={reason} />
          </code>
          {known && <p className="text-ink-2">{`${known.cause} ${known.fix}`}</p>}
        </InfoRow>
      )}
      {resource !== null && (
        <InfoRow label="Resource">
          <AppLink href={toPaymentsPath(network.name, { resource })} className="wrap-anywhere">
            <ResourceUrl url={toShownText(resource, 4096)} />
          </AppLink>
        </InfoRow>
      )}
      {description !== null && (
        <InfoRow label="Description">
          <span className="wrap-anywhere">{description}</span>
        </InfoRow>
      )}
      {transaction !== null && (
        <InfoRow label="Settlement">
          <TxLink full hash={transaction} />
        </InfoRow>
      )}
      <InfoRow label="Payment nonce" hint="The nonce of the payer’s authorization. Settling the payment spends it">
        <CopiedHash value={nonce} what="authorization nonce" />
      </InfoRow>
    </InfoList>
  );
}
