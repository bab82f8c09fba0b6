"use client";
/**
 * The payments a transaction settled: from the ledger where our facilitator made them, else read from the logs alone.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { TokenAmount } from "@/components/chain/Amount";
import { Copy } from "@/components/chain/Copy";
import { Hash } from "@/components/chain/Hash";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useSource } from "@/components/chain/NetworkContext";
import { Status, toStatusName } from "@/components/chain/Status";
import { AppLink } from "@/components/layout/AppLink";
import { Sheet } from "@/components/layout/Sheet";
import { listSettlements } from "@/lib/decode/summary";
import { toPaymentPath } from "@/lib/links";
import { t } from "@/lib/messages/translatePayment";
import { paymentQuery, receiptQuery } from "@/lib/query/queries";
import type { WireLog } from "@/lib/query/wire";

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
      title={t(rows.some((row) => row.ledger) ? "payment.title" : "payment.signedTitle", { count: rows.length })}
    >
      {rows.map((row) => (
        <div key={row.key} className="payment">
          <InfoList
            label={t("payment.facts")}
            request={(row.ledger ? paymentQuery : receiptQuery)(source, hash).queryKey}
          >
            {row.ledger && (
              <InfoRow label={t("payment.state")}>
                <span className="flex flex-wrap items-center gap-x-3">
                  <Status name={toStatusName(row.ledger.state)} />
                  <span className="method">{row.ledger.scheme}</span>
                  <AppLink href={toPaymentPath(source.network, row.key)} className="decoration-current!">
                    {t("payment.toFlow")}
                  </AppLink>
                  {row.ledger.reason && <span className="text-ink-2">{row.ledger.reason}</span>}
                </span>
              </InfoRow>
            )}
            <InfoRow label={t("payment.payer")}>
              <AddressLink full address={row.payer} />
            </InfoRow>
            <InfoRow label={t("payment.payee")}>
              <AddressLink full address={row.payee} />
            </InfoRow>
            <InfoRow label={t("payment.amount")}>
              <TokenAmount units={row.amount} token={row.asset} copy />
            </InfoRow>
            {row.ledger?.resource && <InfoRow label={t("payment.resource")}>{row.ledger.resource}</InfoRow>}
            <InfoRow label={t("payment.nonce")} hint={t("payment.nonceHint")}>
              <span className="identifier">
                <Hash value={row.nonce} />
                <Copy value={row.nonce} what={t("payment.nonce")} />
              </span>
            </InfoRow>
            {!row.ledger && <InfoRow label={t("payment.state")}>{t("payment.elsewhere")}</InfoRow>}
          </InfoList>
        </div>
      ))}
    </Sheet>
  );
}
