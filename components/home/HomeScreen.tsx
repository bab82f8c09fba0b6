"use client";
import { LatestBlocks } from "@/components/block/BlockList";
import { Connect } from "@/components/home/Connect";
import { type Demo, PaymentDemo } from "@/components/home/PaymentDemo";
import { Readings } from "@/components/home/Readings";
import { MainnetNotice } from "@/components/layout/MainnetNotice";
import { useNetwork } from "@/components/layout/NetworkContext";
import { LatestPayments } from "@/components/payments/LatestPayments";
import { Search } from "@/components/search/Search";
import { LatestTransactions } from "@/components/transaction/TransactionsScreen";

export function HomeScreen({
  funded,
  demo,
}: {
  funded: `0x${string}`[];
  /** Unset if visitors can't pay with test money here. */
  demo: Demo | undefined;
}) {
  const network = useNetwork();
  return (
    <>
      <MainnetNotice />
      {demo ? (
        <PaymentDemo demo={demo}>
          <h1 className="text-28!">See every step of an API payment</h1>
          <p className="text-16 text-ink-2">
            Tollscan is an EVM node, a block explorer, and an x402 playground in one. Make a payment and follow it from
            the first request to the block that includes it.
          </p>
        </PaymentDemo>
      ) : (
        <div className="flex max-w-prose flex-col gap-2 pt-2">
          <h1 className="text-28!">Explore {network.label}</h1>
          <p className="text-16 text-ink-2">
            Tollscan is a block explorer, an EVM node, and an x402 playground in one.
          </p>
        </div>
      )}
      {/* On narrow screens, where the header of this page has no search, it comes before the payment. */}
      <div className="max-[64rem]:order-first">
        <Search hero />
      </div>
      <Readings />
      <div className="grid gap-6 xl:grid-cols-[4fr_3fr]">
        {network.tokens.length > 0 && <LatestPayments />}
        <LatestBlocks />
        <LatestTransactions />
        <Connect funded={funded} />
      </div>
    </>
  );
}
