"use client";
/**
 * Loads the forms of a contract in the browser only: they need a wallet and an ABI encoder, which no reading page does.
 */
import dynamic from "next/dynamic";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translateAddress";

export const ContractLoader = dynamic(() => import("./ContractForms").then((module) => module.ContractForms), {
  ssr: false,
  loading: () => (
    <Sheet id="read" title={t("contract.read")}>
      <SkeletonRows rows={8} label={t("loading.rows")} />
    </Sheet>
  ),
});
