"use client";
import { LatestBlocks } from "@/components/block/BlockList";
import { Connect } from "@/components/home/Connect";
import { Readings } from "@/components/home/Readings";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Search } from "@/components/search/Search";
import { LatestTransactions } from "@/components/transaction/TransactionsScreen";
import { toSectionPath } from "@/lib/links";

export function HomeScreen({ funded }: { funded: `0x${string}`[] }) {
  const network = useNetwork();
  return (
    <>
      <div className="flex flex-col gap-3 pt-2">
        <h1>Explore {network.label}</h1>
        {network.embedded && (
          <p className="text-14 text-ink-2">
            A local EVM chain with an x402 facilitator.{" "}
            <AppLink href={toSectionPath(network.name, "playground")} className="app-link">
              Pay your first API call →
            </AppLink>
          </p>
        )}
        <div className="max-w-3xl">
          <Search hero />
        </div>
      </div>
      <Readings />
      <div className="grid gap-6 xl:grid-cols-[5fr_7fr]">
        <LatestBlocks />
        <LatestTransactions />
      </div>
      <Connect funded={funded} />
    </>
  );
}
