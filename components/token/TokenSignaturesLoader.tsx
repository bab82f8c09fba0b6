"use client";
/**
 * Loads the view of signatures on its own: hashing typed data takes libraries that no other reading page needs.
 */
import dynamic from "next/dynamic";
import { SkeletonRows } from "@/components/explorer/SkeletonRows";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translate";

export const TokenSignaturesLoader = dynamic(
  () => import("./TokenSignatures").then((module) => module.TokenSignatures),
  {
    loading: () => (
      <Sheet>
        <SkeletonRows rows={12} label={t("loading.rows")} />
      </Sheet>
    ),
  },
);
