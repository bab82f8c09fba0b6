"use client";
import { loadedLater } from "@/components/layout/loadedLater";
import { Sheet } from "@/components/layout/Sheet";
/**
 * Loads a contract's forms in the browser only, because they need a wallet and an ABI encoder. Read-only pages need
 * neither.
 */
import { SkeletonRows } from "@/components/lists/SkeletonRows";

export const ContractLoader = loadedLater(
  () => import("./ContractForms").then((module) => module.ContractForms),
  () => (
    <Sheet id="values" title="Values">
      <SkeletonRows rows={12} label="Loading rows" />
    </Sheet>
  ),
);
