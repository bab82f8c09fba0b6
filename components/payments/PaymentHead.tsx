"use client";
/** The head of a payment's page: the amount and the status, above the ID. */
import { useQuery } from "@tanstack/react-query";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hinted } from "@/components/atoms/Hinted";
import { Status, toStatusName } from "@/components/atoms/Status";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { DataLinks } from "@/components/lists/DataLinks";
import { PaidAmount } from "@/components/payments/PaidAmount";
import { RefundAction } from "@/components/payments/RefundAction";
import { schemeHint } from "@/components/payments/schemeHint";
import { paymentQuery } from "@/lib/query/queries";

export function PaymentHead({ id }: { id: string }) {
  const { data } = useQuery(paymentQuery(useNetworkContext().source, id));
  const payment = data?.find((candidate) => candidate.id === id);
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <div className="page-title w-full max-sm:[&>.button]:ml-auto [&>.notice]:my-5">
        <h1>
          {payment ? (
            <span className="text-28">
              <span className="max-sm:block max-sm:font-normal max-sm:text-14 max-sm:text-ink-2">Payment of </span>
              <PaidAmount units={BigInt(payment.settledAmount ?? payment.amount)} token={payment.asset} />
            </span>
          ) : (
            "Payment"
          )}
        </h1>
        {payment && (
          <span className="flex items-center gap-x-3 text-16">
            <Status name={toStatusName(payment.state)} />
            <span className="method">
              <Hinted hint={schemeHint}>{payment.scheme}</Hinted>
            </span>
          </span>
        )}
        <DataLinks method="explorer_getPayment" params={[id]} />
        {payment && <RefundAction payment={payment} />}
      </div>
      <p className="identifier text-ink-2" data-lit={id} data-copies>
        <span className="label">ID</span>
        <Hash value={id} />
        <Copy value={id} what="payment ID" quiet={false} />
      </p>
    </div>
  );
}
