"use client";
/**
 * The payments that a transaction settled: from the ledger if our facilitator made them, otherwise from the logs alone.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Status, toStatusName } from "@/components/atoms/Status";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { listSettlements } from "@/lib/decode/summary";
import { toPaymentPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { paymentQuery, receiptQuery } from "@/lib/query/queries";
import type { WireLog } from "@/lib/query/wire";
import { toShownText } from "@/lib/shownText";

type Row = {
  key: string;
  payer: string;
  payee: string;
  asset: string;
  amount: bigint;
  nonce: string;
  ledger?: { scheme: string; state: string; resource: string | null; reason: string | null };
};

export function TransactionPayments({ hash, logs }: { hash: string; logs: WireLog[] }) {
  const source = useSource();
  const { data: payments } = useQuery(paymentQuery(source, hash));
  const rows: Row[] = (payments ?? []).map((payment) => ({
    key: payment.id,
    payer: payment.payer,
    payee: payment.payee,
    asset: payment.asset,
    amount: BigInt(payment.settledAmount ?? payment.amount),
    nonce: payment.nonce,
    ledger: payment,
  }));
  for (const settlement of listSettlements(logs)) {
    if (rows.some((row) => row.nonce === settlement.nonce)) continue;
    rows.push({ key: settlement.nonce, asset: settlement.token, ...settlement });
  }
  if (rows.length === 0) return null;
  return (
    <Sheet
      id="payment"
      title={
        rows.some((row) => row.ledger)
          ? `x402 ${plural(rows.length, "payment")}`
          : `Signed ${plural(rows.length, "payment")}`
      }
    >
      {rows.map((row, index) => (
        <div key={row.key} className={index > 0 ? "border-line border-t" : undefined}>
          <InfoList label="Payment" request={(row.ledger ? paymentQuery : receiptQuery)(source, hash).queryKey}>
            {row.ledger && (
              <InfoRow label="Status">
                <span className="flex flex-wrap items-center gap-x-3">
                  <Status name={toStatusName(row.ledger.state)} />
                  <span className="method">{row.ledger.scheme}</span>
                  <AppLink href={toPaymentPath(source.network, row.key)} className="decoration-current!">
                    View payment
                  </AppLink>
                  {row.ledger.reason && <span className="text-ink-2">{row.ledger.reason}</span>}
                </span>
              </InfoRow>
            )}
            <InfoRow label="Payer">
              <AddressLink full address={row.payer} />
            </InfoRow>
            <InfoRow label="Payee">
              <AddressLink full address={row.payee} />
            </InfoRow>
            <InfoRow label="Amount">
              <TokenAmount units={row.amount} token={row.asset} copy />
            </InfoRow>
            {row.ledger?.resource && <InfoRow label="Resource">{toShownText(row.ledger.resource, 4096)}</InfoRow>}
            <InfoRow
              label="Authorization nonce"
              hint="An EIP-3009 authorization can be used only once: settling it spends its nonce"
            >
              <CopiedHash value={row.nonce} what="Authorization nonce" />
            </InfoRow>
            {!row.ledger && <InfoRow label="Status">Settled, but not by this node’s facilitator</InfoRow>}
          </InfoList>
        </div>
      ))}
    </Sheet>
  );
}
