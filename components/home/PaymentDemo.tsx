"use client";
/**
 * The top of the start page: what Tollscan is, and a button that makes a payment. The wallet code is loaded on the
 * first click.
 */
import { useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { AppLink } from "@/components/layout/AppLink";
import { loadedLater } from "@/components/layout/loadedLater";
import { useNetwork } from "@/components/layout/NetworkContext";
import { DiagramGhost } from "@/components/playground/DiagramGhost";
import type { PaidCall } from "@/components/playground/exchange";
import { toPaymentsPagePath, toPlaygroundPath, toSectionPath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";

export type Demo = {
  call: PaidCall;
  /** The name of the resource. */
  title: string;
  price: string;
  networks: readonly [PageNetwork, ...PageNetwork[]];
};

const importPayment = () => import("./DemoPayment").then((module) => module.DemoPayment);
const DemoPayment = loadedLater(importPayment, Waiting);

function Waiting() {
  return (
    <div className="play-exchange grid">
      <DiagramGhost />
    </div>
  );
}

const steps = [
  { section: "failures", label: "Break a payment", text: "See why each failure happens and how to fix it" },
  { section: "facilitator", label: "Sell your own API", text: "Point your server at this facilitator" },
  { section: "accounts", label: "Get test accounts", text: "Funded keys, a faucet and wallet settings" },
] as const;

function NextSteps({ network }: { network: string }) {
  const paths = {
    failures: toPlaygroundPath(network, "failures"),
    facilitator: toPaymentsPagePath(network, "facilitator"),
    accounts: toSectionPath(network, "accounts"),
  };
  return (
    // Side by side if they are below the diagram and there is room.
    <ul
      aria-label="Next steps"
      className="grid border-line border-y text-14 max-sm:divide-y max-sm:divide-line sm:max-[64rem]:grid-cols-3 sm:max-[64rem]:gap-x-6 min-[64rem]:divide-y min-[64rem]:divide-line"
    >
      {steps.map(({ section, label, text }) => (
        <li key={section} className="py-2">
          <AppLink href={paths[section]} className="app-link font-medium">
            {label}
          </AppLink>
          <p className="text-13 text-ink-2">{text}</p>
        </li>
      ))}
    </ul>
  );
}

export function PaymentDemo({
  demo,
  readings,
  children,
}: {
  demo: Demo;
  /** The chain's metrics. On the widest screens, they are beside the diagram, otherwise below everything. */
  readings: ReactNode;
  children: ReactNode;
}) {
  const network = useNetwork();
  const [attempt, setAttempt] = useState(0);
  const hasPaid = useSearchParams().has("flow") || attempt > 0;
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const preload = () => void importPayment();

  function finish(isPaid: boolean) {
    setBusy(false);
    setFailed(!isPaid);
  }

  function pay() {
    if (isBusy) return;
    setBusy(true);
    setAttempt(attempt + 1);
  }

  return (
    // On the widest screens, the grid without a response ends with an empty row, whose gap is taken back here.
    <div className="play 2xl:not-has-[.play-result]:-mb-4">
      <div className="play-resource flex flex-col gap-3">{children}</div>
      <div className="play-pay">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {/* Stays focusable while pending, so that keyboard focus is not lost. */}
          <button
            type="button"
            className="button button-primary h-10! px-5! text-14!"
            aria-disabled={isBusy}
            onClick={pay}
            onPointerEnter={preload}
            onFocus={preload}
          >
            {isBusy ? "Paying…" : hasFailed ? "Try again" : hasPaid ? "Pay again" : `Pay ${demo.price} now`}
          </button>
          <AppLink href={toSectionPath(network.name, "playground")} prefetch className="text-accent">
            Open the playground
          </AppLink>
        </div>
        {!hasPaid && (
          <p className="text-13 text-ink-2">
            Buys one call of the “{demo.title}” API on a local chain. Without a wallet, we’ll create a throwaway burner
            account and fund it with test money.
          </p>
        )}
      </div>
      {hasPaid ? <DemoPayment {...demo} attempt={attempt} onFinished={finish} /> : <Waiting />}
      {/* The next steps are beside the diagram on wide screens, and below it otherwise. */}
      <div className="play-facts max-[63.99rem]:mt-2 min-[64rem]:[.play:not(:has(>.play-outcome>*))>&]:-mt-4">
        <NextSteps network={network.name} />
      </div>
      <div className="play-readings grid">{readings}</div>
    </div>
  );
}
