/** Explains why an exchange ended without an outcome. Offers test money if the payer's balance was too low. */
"use client";

import { useNetwork } from "@/components/layout/NetworkContext";
import { AddNetwork } from "@/components/wallet/AddNetwork";
import { useFaucet } from "@/components/wallet/useFaucet";
import { findRefusal, toFailureMessage } from "@/components/wallet/walletError";
import { getReason } from "@/lib/x402/reason";
import type { FormatAmount } from "./flowValue";
import { StoppedNotice } from "./Outcome";
import { RefusalNotice } from "./RefusalNotice";
import { compareFunds } from "./refusal";
import { findUrlFailure } from "./urlPrice";
import type { PaymentStoppedError } from "./useExchange";

export function Stopped({
  error,
  formatAmount,
  onFunded,
  onBurner,
  burnerLabel = "Switch to a burner account and pay",
}: {
  error: PaymentStoppedError;
  formatAmount: FormatAmount;
  onFunded: () => void;
  /** Replaces the wallet with a burner account, and pays with it. Undefined if that isn't possible, or if a burner is connected already. */
  onBurner: (() => void) | undefined;
  burnerLabel?: string;
}) {
  const network = useNetwork();
  const { payer, shortPurse } = error;
  const faucet = useFaucet();
  const failure = error.wasSent ? undefined : findUrlFailure(error.cause, { network, networks: [] });
  if (failure) return <RefusalNotice title={failure.title} refusal={{ where: "client", ...failure }} />;
  if (!shortPurse || !payer) {
    return (
      <StoppedNotice wasSent={error.wasSent} cause={error.message}>
        {onBurner && !error.wasSent && (
          <p>
            <button type="button" className="button" onClick={onBurner}>
              {burnerLabel}
            </button>
          </p>
        )}
        {findRefusal(error)?.code === "not_our_chain" && <AddNetwork />}
      </StoppedNotice>
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
          onClick={() => !faucet.isPending && faucet.mutate(payer, { onSuccess: onFunded })}
        >
          {faucet.isPending ? "Asking the faucet…" : "Get test money"}
        </button>
      )}
      {faucet.error && <p>{toFailureMessage(faucet.error)}</p>}
    </RefusalNotice>
  );
}
