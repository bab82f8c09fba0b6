"use client";
/**
 * The payments that a transaction settled. They come from the ledger if this node's facilitator settled them.
 * Otherwise, they come from the logs alone.
 */
import { useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Status, toStatusName } from "@/components/atoms/Status";
import { ResourceUrl } from "@/components/atoms/Url";
import { AppLink } from "@/components/layout/AppLink";
import { loadedLater } from "@/components/layout/loadedLater";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { toResourceParts } from "@/components/payments/resourceParts";
import { schemeHint } from "@/components/payments/schemeHint";
import type { Settlement } from "@/lib/decode/summary";
import { toPaymentPath, toPaymentsPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { paymentQuery, receiptQuery } from "@/lib/query/queries";
import type { Payment } from "@/lib/query/wire";
import { toShownText } from "@/lib/shownText";

type Row = {
  key: string;
  payer: string;
  payee: string;
  asset: string;
  amount: bigint;
  nonce: string;
  ledger?: Payment;
};

const elsewhere = "Settled, but not by this node’s facilitator";

type Props = { hash: string; payments: Payment[]; settlements: Settlement[] };

export function TransactionPayments({ hash, payments, settlements }: Props) {
  const rows: Row[] = payments.map((payment) => ({
    key: payment.id,
    payer: payment.payer,
    payee: payment.payee,
    asset: payment.asset,
    amount: BigInt(payment.settledAmount ?? payment.amount),
    nonce: payment.nonce,
    ledger: payment,
  }));
  for (const settlement of settlements) {
    if (rows.some((row) => row.nonce === settlement.nonce)) continue;
    rows.push({ key: settlement.nonce, asset: settlement.token, ...settlement });
  }
  const [first] = rows;
  if (!first) return null;
  const kind = rows.some((row) => row.ledger) ? "x402" : "Signed";
  return rows.length === 1 ? (
    <Sheet id="payment" title={`${kind} payment`} aside={first.ledger && <Exit payment={first.ledger} />}>
      <OnePayment row={first} hash={hash} />
      {first.ledger && <Timeline payment={first.ledger} />}
    </Sheet>
  ) : (
    <Sheet
      id="payment"
      title={`${rows.length} ${kind === "x402" ? kind : "signed"} ${plural(rows.length, "payment")}`}
      aside={<Totals rows={rows} />}
    >
      <DataTable caption="Payments" columns={columns} rows={rows} getKey={(row) => row.key} />
    </Sheet>
  );
}

/** The total for each token. */
function Totals({ rows }: { rows: Row[] }) {
  const sums = new Map<string, bigint>();
  for (const { asset, amount } of rows) sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  return (
    <span className="flex flex-wrap gap-x-3 text-13">
      <span className="text-ink-2">Total</span>
      {[...sums].map(([asset, units]) => (
        <TokenAmount key={asset} units={units} token={asset} copy />
      ))}
    </span>
  );
}

const columns: Column<Row>[] = [
  { id: "status", head: "Status", width: "md:w-28", narrow: "lead", cell: (row) => <PaymentStatus row={row} /> },
  { id: "payer", head: "Payer", cell: (row) => <AddressLink address={row.payer} /> },
  { id: "payee", head: "Payee", cell: (row) => <AddressLink address={row.payee} /> },
  {
    id: "parties",
    head: "Payer and payee",
    width: "md:hidden",
    narrow: "below",
    cell: (row) => <PartiesCell from={<AddressLink address={row.payer} />} to={<AddressLink address={row.payee} />} />,
  },
  {
    id: "resource",
    head: "Resource",
    width: "md:w-44 lg:w-60",
    cell: (row) => row.ledger && <ResourceOrReason payment={row.ledger} />,
  },
  {
    id: "amount",
    head: "Amount",
    align: "right",
    width: "md:w-36",
    narrow: "trail",
    cell: (row) => <TokenAmount units={row.amount} token={row.asset} />,
  },
  {
    id: "nonce",
    head: "Nonce",
    align: "right",
    width: "md:w-40 max-lg:hidden",
    narrow: "belowTrail",
    cell: (row) => <Hash short value={row.nonce} className="text-ink-2" />,
  },
];

function ResourceOrReason({ payment: { reason, resource } }: { payment: Payment }) {
  const { network, origin } = useNetworkContext();
  const { path, host } = toResourceParts(resource ?? "", origin, network.name);
  return (
    <span className="text-ink-2" title={reason ?? resource ?? undefined}>
      {reason ?? path}
      {reason === null && host && (
        <span className="block truncate text-12 text-ink-3 leading-4 md:-mt-0.5">{host}</span>
      )}
    </span>
  );
}

function PaymentStatus({ row }: { row: Row }) {
  const { network } = useSource();
  if (!row.ledger) {
    return (
      <span title={elsewhere}>
        <Status name="settled" />
      </span>
    );
  }
  return (
    <AppLink href={toPaymentPath(network, row.key)} aria-label={`View payment, ${row.ledger.state}`}>
      <Status name={toStatusName(row.ledger.state)} />
    </AppLink>
  );
}

/** The diagram's code is loaded on demand, because most visitors don't open it. */
const Flow = loadedLater(
  () => import("@/components/payments/PaymentFlow").then((module) => module.TransactionPaymentFlow),
  () => <SkeletonRows rows={8} label="Loading the payment’s timeline" />,
);

function Timeline({ payment }: { payment: Payment }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="group border-line border-t" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer items-center gap-2 px-4 py-2 text-13 text-ink-2 hover:text-ink">
        <Icon name="right" className="text-ink-3 group-open:rotate-90" />
        Timeline, from the request to the block
      </summary>
      {open && <Flow payment={payment} />}
    </details>
  );
}

/** The way to the payment's own page. Its status is shown only if the sentence of the transaction doesn't imply it. */
function Exit({ payment }: { payment: Payment }) {
  const { network } = useSource();
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {payment.state !== "settled" && <Status name={toStatusName(payment.state)} />}
      <AppLink href={toPaymentPath(network, payment.id)} className="button">
        View payment
      </AppLink>
    </span>
  );
}

function OnePayment({ row, hash }: { row: Row; hash: string }) {
  const source = useSource();
  const { ledger } = row;
  const request = (ledger ? paymentQuery : receiptQuery)(source, hash).queryKey;
  return (
    <>
      <InfoList columns label="Payment" request={request}>
        {/* The first row on phones, and the first of the second column on wide screens. */}
        <InfoRow second label="Amount">
          <span className="font-semibold [&_.text-ink-3]:font-normal">
            <TokenAmount units={row.amount} token={row.asset} copy />
          </span>
        </InfoRow>
        <InfoRow label="Payer">
          <AddressLink full address={row.payer} />
        </InfoRow>
        <InfoRow label="Payee">
          <AddressLink full address={row.payee} />
        </InfoRow>
        {ledger ? (
          <InfoRow second label="Scheme" hint={schemeHint}>
            {ledger.scheme}
          </InfoRow>
        ) : (
          <InfoRow second label="Status">
            {elsewhere}
          </InfoRow>
        )}
      </InfoList>
      <InfoList label="Resource and authorization" request={request}>
        {ledger?.reason && <InfoRow label="Reason">{ledger.reason}</InfoRow>}
        {ledger?.resource && (
          <InfoRow label="Resource">
            <AppLink
              href={toPaymentsPath(source.network, { resource: ledger.resource })}
              className="leading-6"
              title="Payments for this resource"
            >
              <ResourceUrl url={toShownText(ledger.resource, 4096)} />
            </AppLink>
          </InfoRow>
        )}
        <InfoRow
          label="Payment nonce"
          hint="The nonce of the EIP-3009 authorization. Settling the payment spends it, so it can be used only once"
        >
          <span className="identifier">
            <Hash value={row.nonce} />
            <Copy value={row.nonce} what="authorization nonce" quiet={false} />
          </span>
        </InfoRow>
      </InfoList>
    </>
  );
}
