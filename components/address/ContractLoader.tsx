"use client";
import { loadedLater } from "@/components/layout/loadedLater";
import { Sheet } from "@/components/layout/Sheet";
/**
 * Loads the forms of a contract in the browser only: they need a wallet and an ABI encoder, which no reading page does.
 */
import { SkeletonRows } from "@/components/lists/SkeletonRows";

export const ContractLoader = loadedLater(
  () => import("./ContractForms").then((module) => module.ContractForms),
  () => (
    <Sheet id="read" title="Read">
      <SkeletonRows rows={8} label="Loading rows" />
    </Sheet>
  ),
);
