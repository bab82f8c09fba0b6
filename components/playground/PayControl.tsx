/** The pay button and the account that pays: the connected account, or a burner if no account is connected. */
"use client";

import { useRef } from "react";
import type { UseConnectionReturnType } from "wagmi";
import { AddressLink } from "@/components/atoms/AddressLink";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { burnerConnectorId, toBurnerElsewhereText } from "@/components/wallet/burnerConnector";
import { isWalletBarred, needsBurner } from "@/components/wallet/payer";
import { findMainnetSentence } from "@/components/wallet/signingRule";
import { connectForForm } from "@/components/wallet/walletUse";
import type { PaymentPhase } from "./useExchange";

/** Whether the connected account or a new burner can sign on this page's network. */
export function useCanPay(connection: UseConnectionReturnType): boolean {
  const { network } = useNetworkContext();
  if (needsBurner(connection, network)) return true;
  if (connection.status !== "connected" || isWalletBarred(connection, network)) return false;
  return connection.connector.id !== burnerConnectorId || network.embedded;
}

export function PayControl({
  connection,
  isPending,
  phase,
  price,
  hasPaid,
  onPay,
}: {
  connection: UseConnectionReturnType;
  isPending: boolean;
  phase: PaymentPhase;
  /** Undefined if the price isn't known yet. */
  price: string | undefined;
  hasPaid: boolean;
  onPay: () => void;
}) {
  const { network } = useNetworkContext();
  const canPay = useCanPay(connection);
  const payButton = useRef<HTMLButtonElement>(null);
  const hasBurner = needsBurner(connection, network);
  const label = isPending
    ? "Paying…"
    : price === undefined
      ? hasBurner
        ? "Pay with a burner account"
        : hasPaid
          ? "Pay again"
          : "Pay and fetch"
      : // If no account is connected, the line below the button says that a burner pays.
        `Pay ${price}${hasBurner && connection.status === "connected" ? " with a burner account" : hasPaid ? " again" : ""}`;
  return (
    <div className="play-pay">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* The button stays focusable while a payment is pending, so that keyboard focus isn't lost. */}
        <button
          ref={payButton}
          type="button"
          className="button button-primary"
          aria-disabled={isPending || !canPay}
          onClick={() => !isPending && canPay && onPay()}
        >
          {label}
        </button>
        {connection.status === "disconnected" && !isPending && (
          <button
            type="button"
            // If a burner pays, connecting a wallet is only an alternative.
            className={network.embedded ? "h-6 text-accent underline-offset-3 hover:underline" : "button"}
            aria-haspopup="dialog"
            onClick={() => connectForForm(() => payButton.current?.focus())}
          >
            {network.embedded ? "Use your own wallet" : "Connect wallet"}
          </button>
        )}
      </div>
      <PayerLine connection={connection} isPending={isPending} phase={phase} canPay={canPay} />
    </div>
  );
}

export function PayerLine({
  connection,
  isPending,
  phase,
  canPay,
}: {
  connection: UseConnectionReturnType;
  isPending: boolean;
  phase: PaymentPhase;
  canPay: boolean;
}) {
  const { network } = useNetworkContext();
  return (
    <p className="min-h-6 min-w-0 text-14 text-ink-2" aria-live="polite">
      {isPending ? (
        phase === "funding" ? (
          "Funding the account from the faucet…"
        ) : (
          "Waiting for the signature and the response…"
        )
      ) : isWalletBarred(connection, network) ? (
        findMainnetSentence(network)
      ) : connection.status === "connected" ? (
        canPay ? (
          <span className="inline-flex flex-wrap items-center gap-x-2">
            Payer <AddressLink address={connection.address} />
          </span>
        ) : (
          toBurnerElsewhereText(network.label)
        )
      ) : connection.status === "disconnected" ? (
        network.embedded ? (
          "No wallet needed: we’ll create a throwaway burner account and fund it with test money."
        ) : (
          "No account yet. Connect a wallet to pay."
        )
      ) : (
        "Loading wallet…"
      )}
    </p>
  );
}
