/**
 * The playground's working part: who pays, the button, the exchange as it happens, and what was paid for. Loaded only
 * on its page, because it brings the wallet libraries along.
 */
"use client";

import { useMemo } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { Snippet } from "@/components/chain/Snippet";
import { TxLink } from "@/components/chain/TxLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { toWalletMessage } from "@/components/wallet/walletError";
import { t } from "@/lib/messages/translate";
import type { Network } from "@/lib/networks";
import { PayFetchError } from "@/lib/x402/payFetch";
import { findReason } from "@/lib/x402/reason";
import { FlowTimeline } from "./FlowTimeline";
import { createFormatAmount, toFlowEntries } from "./flowEntries";
import { type PaymentOutcome, usePayment } from "./usePayment";

export function Playground({ networks, url }: { networks: readonly [Network, ...Network[]]; url: string }) {
  return (
    <WalletProvider networks={networks}>
      <PaidRequest url={url} />
    </WalletProvider>
  );
}

function PaidRequest({ url }: { url: string }) {
  const { network } = useNetworkContext();
  const { connection, data, error, isPending, mutate, phase, steps } = usePayment(url);
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const entries = toFlowEntries(steps, formatAmount);
  const connected = connection.status === "connected";
  const canPay = connected || network.embedded;

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <button
          type="button"
          className="button button-primary"
          disabled={isPending || !canPay}
          onClick={() => mutate()}
        >
          {connected ? t(data ? "play.again" : "play.pay") : t("play.payBurner")}
        </button>
        <p className="min-w-0 text-14 text-ink-2" aria-live="polite">
          {isPending ? (
            t(phase === "funding" ? "play.funding" : "play.paying")
          ) : connected ? (
            <span className="inline-flex items-center gap-2">
              {t("play.payer")} <AddressLink address={connection.address} />
            </span>
          ) : (
            t(network.embedded ? "play.noPayer" : "play.noPayerPublic")
          )}
        </p>
      </div>
      {error && (
        <div role="alert" className="notice notice-neg">
          <strong>{t("play.failed")}.</strong> {error instanceof PayFetchError ? error.message : toWalletMessage(error)}
        </div>
      )}
      {data && <Outcome outcome={data} formatAmount={formatAmount} />}
      <Sheet title={t("play.exchange")} id="exchange">
        {entries.length > 0 ? <FlowTimeline entries={entries} /> : <Empty title={t("play.exchangeEmpty")} />}
      </Sheet>
      {data?.settlement?.success && (
        <Sheet title={t("play.result")} id="result">
          <div className="paid-content">
            <Snippet code={toPrettyJson(data.body)} what={t("play.result")} />
          </div>
        </Sheet>
      )}
    </>
  );
}

function Outcome({
  outcome,
  formatAmount,
}: {
  outcome: PaymentOutcome;
  formatAmount: ReturnType<typeof createFormatAmount>;
}) {
  const { settlement, payload, steps } = outcome;
  if (settlement?.success && payload) {
    return (
      <div role="status" className="notice notice-pos flex flex-wrap items-center gap-x-4 gap-y-1">
        <strong>{t("play.paidUnmined", { amount: formatAmount(payload.accepted) })}</strong>
        <span className="inline-flex min-w-0 items-center gap-2">
          {t("play.seeTransaction")} <TxLink hash={settlement.transaction} />
        </span>
      </div>
    );
  }
  const refusal = steps.findLast((step) => step.kind === "refusal");
  const text = refusal?.paymentRequired.error ?? settlement?.errorReason ?? String(outcome.response.status);
  const reason = findReason(text);
  return (
    <div role="alert" className="notice notice-neg">
      <strong>{t("play.refused")}.</strong>{" "}
      {reason ? `${reason.cause} ${t("play.fix", { fix: reason.fix })}` : t("play.refusedUnknown", { error: text })}
    </div>
  );
}

function toPrettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
