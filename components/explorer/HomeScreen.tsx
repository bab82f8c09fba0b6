"use client";
/**
 * The start page, composed.
 */
import { useNetwork } from "@/components/chain/NetworkContext";
import { BlockList } from "@/components/explorer/BlockList";
import { Connect } from "@/components/explorer/Connect";
import { Readings } from "@/components/explorer/Readings";
import { LatestTransactions } from "@/components/explorer/TransactionsScreen";
import { Search } from "@/components/layout/Search";
import { t } from "@/lib/messages/translate";
import { homeRows } from "@/lib/query/queries";

export function HomeScreen({ funded }: { funded: `0x${string}`[] }) {
  const network = useNetwork();
  return (
    <>
      <div className="flex flex-col gap-3 pt-2">
        <h1>{t("home.lead", { chainId: network.chainId })}</h1>
        <div className="max-w-3xl">
          <Search hero />
        </div>
      </div>
      <Readings />
      <div className="grid gap-6 lg:grid-cols-[5fr_7fr]">
        <BlockList compact limit={homeRows} />
        <LatestTransactions />
      </div>
      <Connect funded={funded} />
    </>
  );
}
