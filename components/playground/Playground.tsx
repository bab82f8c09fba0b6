/**
 * The playground's working part: who pays, the button, the exchange as it happens, and what was paid for. Loaded only
 * on its page, because it brings the wallet libraries along. Its parts are cells of the page's grid.
 */
"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { useNetworkContext } from "@/components/chain/NetworkContext";
import { Snippet } from "@/components/chain/Snippet";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { burnerConnectorId } from "@/components/wallet/burnerConnector";
import { fundAndWait } from "@/components/wallet/fundAndWait";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { toFailureMessage } from "@/components/wallet/walletError";
import { openWalletDialog } from "@/components/wallet/walletUse";
import { t } from "@/lib/messages/translate";
import type { Network } from "@/lib/networks";
import { refreshFollowing } from "@/lib/query/client";
import { paymentQuery, receiptQuery } from "@/lib/query/queries";
import { getReason } from "@/lib/x402/reason";
import { FlowTimeline } from "./FlowTimeline";
import { createFormatAmount, type FlowStep, type FormatAmount, toFlowEntries } from "./flowEntries";
import { RefusalNotice } from "./RefusalNotice";
import { compareFunds, toRefusal } from "./refusal";
import { Settlement } from "./Settlement";
import { type PaidCall, type PaymentOutcome, type PaymentStoppedError, usePayment } from "./usePayment";

export function Playground({ networks, call }: { networks: readonly [Network, ...Network[]]; call: PaidCall }) {
  return (
    <WalletProvider networks={networks}>
      <PaidRequest call={call} />
    </WalletProvider>
  );
}

function PaidRequest({ call }: { call: PaidCall }) {
  const { network } = useNetworkContext();
  const payment = usePayment(call);
  const { connection, data, error, isPending, mutate, reset, phase, steps } = payment;
  const formatAmount = useMemo(() => createFormatAmount(network.tokens), [network.tokens]);
  const settled = useSettledSteps(data);
  const entries = toFlowEntries([...steps, ...settled], formatAmount);
  const mined = settled.find((step) => step.kind === "mined");

  return (
    <>
      <PayControl
        connection={connection}
        isPending={isPending}
        phase={phase}
        hasPaid={data?.settlement?.success === true}
        onPay={() => mutate()}
      />
      <div className="play-outcome">
        {error && (!error.payer || !connection.address || error.payer === connection.address) && (
          <Stopped key={steps[0]?.atMs} error={error} formatAmount={formatAmount} onFunded={reset} />
        )}
        {data &&
          (data.settlement?.success && data.payload ? (
            <Settlement
              amount={formatAmount({ ...data.payload.accepted, amount: toCharged(data) })}
              payer={data.payer}
              requirement={data.payload.accepted}
              transaction={data.settlement.transaction}
              blockNumber={mined && Number(mined.receipt.blockNumber)}
            />
          ) : (
            <Refused outcome={data} formatAmount={formatAmount} />
          ))}
      </div>
      <div className="play-exchange">
        <Sheet title={t("play.exchange")} id="exchange">
          {entries.length > 0 ? (
            <FlowTimeline key={steps[0]?.atMs} entries={entries} />
          ) : (
            <Empty title={t("play.exchangeNone")}>{t("play.exchangeEmpty")}</Empty>
          )}
        </Sheet>
      </div>
      {data?.settlement?.success && (
        <div className="play-content">
          <Sheet title={t("play.result")} id="result">
            <Snippet code={toPrettyJson(data.body)} what={t("play.result")} />
          </Sheet>
        </div>
      )}
    </>
  );
}

function PayControl({
  connection,
  isPending,
  phase,
  hasPaid,
  onPay,
}: Pick<ReturnType<typeof usePayment>, "connection" | "isPending" | "phase"> & {
  hasPaid: boolean;
  onPay: () => void;
}) {
  const { network } = useNetworkContext();
  const isConnected = connection.status === "connected";
  const isBurnerAbroad = isConnected && connection.connector.id === burnerConnectorId && !network.embedded;
  const canPay = isConnected ? !isBurnerAbroad : connection.status === "disconnected" && network.embedded;
  const label = isPending
    ? t("play.busy")
    : connection.status === "disconnected" && network.embedded
      ? t("play.payBurner")
      : t(hasPaid ? "play.again" : "play.pay");
  return (
    <div className="play-pay">
      <div className="flex flex-wrap items-center gap-2">
        {/* Stays focusable while it works, so that the keyboard does not lose its place. */}
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isPending || !canPay}
          onClick={() => !isPending && canPay && onPay()}
        >
          {label}
        </button>
        {connection.status === "disconnected" && !isPending && (
          <button type="button" className="button" aria-haspopup="dialog" onClick={openWalletDialog}>
            {t("wallet.connect")}
          </button>
        )}
      </div>
      <p className="min-h-6 min-w-0 text-14 text-ink-2" aria-live="polite">
        {isPending ? (
          t(phase === "funding" ? "play.funding" : "play.paying")
        ) : isBurnerAbroad ? (
          t("wallet.burnerElsewhere", { network: network.label })
        ) : isConnected ? (
          <span className="inline-flex flex-wrap items-center gap-x-2">
            {t("play.payer")} <AddressLink address={connection.address} />
          </span>
        ) : connection.status === "disconnected" ? (
          t(network.embedded ? "play.noPayer" : "play.noPayerPublic")
        ) : (
          t("wallet.loading")
        )}
      </p>
    </div>
  );
}

/** What the ledger and the chain say of a settled payment, each when it is known, the ledger first. */
function useSettledSteps(outcome: PaymentOutcome | undefined) {
  const { source } = useNetworkContext();
  const hash = outcome?.settlement?.success ? outcome.settlement.transaction : "";
  const enabled = hash !== "";
  const ledger = useQuery({ ...paymentQuery(source, hash), enabled });
  const receipt = useQuery({ ...receiptQuery(source, hash), enabled });
  return useMemo(() => {
    const steps: Extract<FlowStep, { kind: "ledger" | "mined" }>[] = [];
    if (!enabled || ledger.isPending || receipt.isPending) return steps;
    const atMs = Math.max(ledger.dataUpdatedAt, receipt.dataUpdatedAt);
    // One transaction may settle several payments: ours is the one with our payer.
    const payment = ledger.data?.find(({ payer }) => payer === outcome?.payer.toLowerCase());
    if (payment) steps.push({ kind: "ledger", atMs, payment });
    if (receipt.data) steps.push({ kind: "mined", atMs, receipt: receipt.data });
    return steps;
  }, [enabled, ledger, receipt, outcome?.payer]);
}

function Stopped({
  error,
  formatAmount,
  onFunded,
}: {
  error: PaymentStoppedError;
  formatAmount: FormatAmount;
  onFunded: () => void;
}) {
  const { network, source } = useNetworkContext();
  const queries = useQueryClient();
  const { payer, shortPurse } = error;
  const faucet = useMutation({
    mutationFn: (address: string) => fundAndWait(source, address),
    onSuccess: async () => {
      await refreshFollowing(queries, source.network, ["head"]);
      onFunded();
    },
  });
  if (!shortPurse || !payer) return <RefusalNotice title={t("play.failed")} refusal={{ cause: error.message }} />;
  const { requirement, balanceUnits } = shortPurse;
  const { fix } = getReason("insufficient_funds");
  const comparison = compareFunds(requirement, balanceUnits, formatAmount);
  return (
    <RefusalNotice
      title={t("play.failed")}
      refusal={{ reason: "insufficient_funds", cause: t("play.short"), fix, comparison }}
    >
      {network.embedded && (
        <button
          type="button"
          className="button"
          aria-disabled={faucet.isPending}
          onClick={() => !faucet.isPending && faucet.mutate(payer)}
        >
          {t(faucet.isPending ? "wallet.funding" : "wallet.fund")}
        </button>
      )}
      {faucet.error && <p>{toFailureMessage(faucet.error)}</p>}
    </RefusalNotice>
  );
}

function Refused({ outcome, formatAmount }: { outcome: PaymentOutcome; formatAmount: FormatAmount }) {
  const { response, settlement, steps, facts } = outcome;
  const refusal = steps.findLast((step) => step.kind === "refusal");
  const text = refusal?.paymentRequired.error ?? settlement?.errorReason;
  if (text === undefined) {
    const cause = t("play.answered", { status: response.status });
    return <RefusalNotice title={t("play.unpaid")} refusal={{ cause }} />;
  }
  return <RefusalNotice title={t("play.refused")} refusal={toRefusal(text, facts, formatAmount)} />;
}

/** What was charged, which for a metered payment is less than what was permitted. */
function toCharged({ settlement, payload }: PaymentOutcome): string {
  const amount = settlement?.amount;
  return amount && /^\d{1,78}$/.test(amount) ? amount : (payload?.accepted.amount ?? "0");
}

function toPrettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
