"use client";
import { LatestBlocks } from "@/components/block/BlockList";
import { Connect } from "@/components/home/Connect";
import { type Demo, PaymentDemo } from "@/components/home/PaymentDemo";
import { Readings } from "@/components/home/Readings";
import { MainnetNotice } from "@/components/layout/MainnetNotice";
import { useNetwork } from "@/components/layout/NetworkContext";
import { LatestPayments } from "@/components/payments/LatestPayments";
import { LatestTransactions } from "@/components/transaction/TransactionsScreen";

/** `demo` is unset if visitors can't pay with test money here. */
export function HomeScreen({ demo }: { demo: Demo | undefined }) {
  const network = useNetwork();
  const hasTokens = network.tokens.length > 0;
  return (
    <>
      <MainnetNotice />
      {demo ? (
        <PaymentDemo demo={demo} readings={<Readings isColumn />}>
          <h1 className="text-balance text-28!">See every step of an API payment</h1>
          <p className="text-16 text-ink-2">
            Tollscan is an EVM node, a block explorer, and an x402 playground in one. Make a payment and follow it from
            the first request to the block that includes it.
          </p>
        </PaymentDemo>
      ) : (
        <>
          <div className="flex max-w-prose flex-col gap-2 pt-2">
            <h1 className="text-28!">Explore {network.label}</h1>
            <p className="text-16 text-ink-2">
              Tollscan is a block explorer, an EVM node, and an x402 playground in one.
            </p>
          </div>
          <Readings />
        </>
      )}
      {/* On phones, three lists of all rows would be a long way to what follows them. */}
      <div
        className={`grid gap-6 [&_tbody_td:first-child_a]:font-medium max-md:[&_tbody_tr:nth-child(n+6)]:hidden max-md:[&_tbody_tr:nth-child(5)]:border-b-0 xl:grid-cols-[5fr_4fr] ${hasTokens ? "2xl:grid-cols-[7fr_7fr_10fr]" : ""}`}
      >
        {hasTokens && <LatestPayments />}
        <LatestBlocks />
        <LatestTransactions />
        <div
          className={`@container grid min-w-0 grid-cols-[minmax(0,1fr)] *:flex *:flex-col ${hasTokens ? "2xl:col-span-3" : "xl:col-span-2"}`}
        >
          <Connect />
        </div>
      </div>
    </>
  );
}
