/** A settled payment: amount, transaction, block, and both parties' balance changes. */
"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { toTokenShape } from "@/components/payments/paymentAmount";
import { toPaymentPath } from "@/lib/links";
import { findToken } from "@/lib/networks";
import { tokenBalanceQuery } from "@/lib/query/queries";
import { formatFixed, formatInteger } from "@/lib/units";
import type { PaymentRequirements } from "@/lib/x402/types";

export function Settlement({
  title,
  payer,
  requirement,
  transaction,
  paymentId,
  blockNumber,
  children,
}: {
  /** What was paid. Left out if the page's title says it. */
  title: string | undefined;
  payer: string;
  requirement: PaymentRequirements;
  /** Empty if the payment moved nothing on chain. */
  transaction: string;
  /** Undefined until the ledger reports the payment. */
  paymentId: string | undefined;
  /** Undefined until the transaction is mined. */
  blockNumber: number | undefined;
  /** Follow-up actions. */
  children?: ReactNode;
}) {
  const source = useSource();
  const { asset, payTo } = requirement;
  return (
    <section role="status" className="notice notice-pos flex flex-col gap-2">
      {title && (
        <h2 className="flex items-center gap-1.5 text-14 font-semibold">
          <Icon name="check" className="text-pos" />
          {title}
        </h2>
      )}
      <div className="notice-facts">
        <InfoList label="Payment">
          {transaction !== "" && (
            <InfoRow label="Settlement">
              <TxLink full hash={transaction} />
            </InfoRow>
          )}
          {transaction !== "" && (
            <InfoRow label="Block">
              {blockNumber === undefined ? <span className="text-ink-3">…</span> : <BlockLink number={blockNumber} />}
            </InfoRow>
          )}
          <InfoRow label="Payer">
            <AddressLink full address={payer} />
            {transaction !== "" && <BalanceChange address={payer} asset={asset} blockNumber={blockNumber} />}
          </InfoRow>
          <InfoRow label="Payee">
            <AddressLink address={payTo} />
            {transaction !== "" && <BalanceChange address={payTo} asset={asset} blockNumber={blockNumber} />}
          </InfoRow>
        </InfoList>
      </div>
      {(paymentId || children) && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {paymentId && (
            <AppLink href={toPaymentPath(source.network, paymentId)} className="text-accent">
              View payment
            </AppLink>
          )}
          {children}
        </p>
      )}
    </section>
  );
}

/**
 * Compares the balance before the block with the balance after it, so that later transactions don't affect the result.
 */
function BalanceChange({
  address,
  asset,
  blockNumber,
}: {
  address: string;
  asset: string;
  blockNumber: number | undefined;
}) {
  const source = useSource();
  const network = useNetwork();
  const token = findToken(network, asset);
  const enabled = blockNumber !== undefined;
  const before = useQuery({ ...tokenBalanceQuery(source, asset, address, (blockNumber ?? 1) - 1), enabled });
  const after = useQuery({ ...tokenBalanceQuery(source, asset, address, blockNumber ?? 0), enabled });
  // A node without historical state returns an error. The payment is then shown without balances.
  if (before.isError || after.isError) return null;
  const [spent, left] = [before.data, after.data].map((data) => (data ? { units: BigInt(data), asset } : undefined));
  const shape = spent && left && toTokenShape(network, [spent, left]);
  return (
    <div className="balance-change">
      {!spent || !left || !shape ? (
        <span className="text-ink-3">…</span>
      ) : (
        <>
          <span className="sr-only">Balance before and after:</span>
          {/* The unit is behind the second amount. */}
          <span>
            {token
              ? formatFixed(spent.units, token.decimals, Math.min(token.decimals, shape.fractionDigits))
              : formatInteger(spent.units)}
            <span className="sr-only"> to </span>
          </span>
          <Icon name="arrow" className="text-ink-3" />
          <TokenAmount units={left.units} token={asset} {...shape} />
        </>
      )}
    </div>
  );
}
