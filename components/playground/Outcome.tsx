/** The result of an exchange: settled, rejected with the reason and both values, or stopped. */
"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { AddNetwork } from "@/components/wallet/AddNetwork";
import { fundAndWait } from "@/components/wallet/fundAndWait";
import { findRefusal, toFailureMessage } from "@/components/wallet/walletError";
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { refreshFollowing } from "@/lib/query/client";
import { getReason } from "@/lib/x402/reason";
import type { PaymentOutcome } from "./exchange";
import type { FormatAmount } from "./flowValue";
import { RefusalNotice } from "./RefusalNotice";
import { compareFunds, toHeadline, toRefusal } from "./refusal";
import { Settlement } from "./Settlement";
import type { PaymentStoppedError } from "./useExchange";

export function Outcome({
  outcome,
  steps,
  formatAmount,
  children,
}: {
  outcome: PaymentOutcome;
  /** All steps of the exchange, including those from the ledger and the chain. */
  steps: readonly FlowStep[];
  formatAmount: FormatAmount;
  /** Follow-up actions. */
  children?: ReactNode;
}) {
  const { settlement, payload, refusal, status } = outcome;
  if (settlement?.success && payload && refusal === undefined) {
    const receipt = findStep(steps, "mined")?.receipt;
    const payment = findStep(steps, "ledger")?.payment;
    return (
      <Settlement
        amount={formatAmount({ ...payload.accepted, amount: toCharged(outcome) })}
        payer={outcome.payer}
        requirement={payload.accepted}
        transaction={settlement.transaction}
        paymentId={payment?.id}
        blockNumber={receipt && Number(receipt.blockNumber)}
      >
        {children}
      </Settlement>
    );
  }
  if (refusal === undefined) {
    const title = status < 400 ? "No payment required" : "Payment not sent";
    return (
      <RefusalNotice
        title={title}
        refusal={{ cause: `The server returned HTTP ${status}. Open the response in the timeline for details.` }}
      />
    );
  }
  const { title, isOpen } = toHeadline(refusal, steps);
  return (
    <RefusalNotice title={title} isOpen={isOpen} refusal={toRefusal(refusal, steps, formatAmount)}>
      {children}
    </RefusalNotice>
  );
}

/** The amount charged; for a metered payment, less than the amount permitted. */
function toCharged({ settlement, payload }: PaymentOutcome): string {
  const amount = settlement?.amount;
  return amount && /^\d{1,78}$/.test(amount) ? amount : (payload?.accepted.amount ?? "0");
}

export function Stopped({
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
  if (!shortPurse || !payer) {
    return (
      <RefusalNotice
        isOpen={error.wasSent}
        title={error.wasSent ? "Payment sent, result unknown" : "Payment not sent"}
        refusal={{ ...(!error.wasSent && { where: "client" as const }), cause: error.message }}
      >
        {findRefusal(error)?.code === "not_our_chain" && <AddNetwork />}
      </RefusalNotice>
    );
  }
  const { requirement, balanceUnits } = shortPurse;
  const { fix } = getReason("insufficient_funds");
  const comparison = compareFunds(requirement, balanceUnits, formatAmount);
  return (
    <RefusalNotice
      title="Payment not sent"
      refusal={{ reason: "insufficient_funds", where: "client", cause: "Insufficient balance", fix, comparison }}
    >
      {network.embedded && (
        <button
          type="button"
          className="button"
          aria-disabled={faucet.isPending}
          onClick={() => !faucet.isPending && faucet.mutate(payer)}
        >
          {faucet.isPending ? "Asking the faucet…" : "Get test money"}
        </button>
      )}
      {faucet.error && <p>{toFailureMessage(faucet.error)}</p>}
    </RefusalNotice>
  );
}
