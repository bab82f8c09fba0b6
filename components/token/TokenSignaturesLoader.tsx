"use client";
/**
 * Loads the signatures view separately, because hashing typed data needs libraries that no other read-only page uses.
 */
import { type ComponentProps, lazy, Suspense } from "react";
import { Sheet } from "@/components/layout/Sheet";
import { SkeletonRows } from "@/components/lists/SkeletonRows";

const TokenSignatures = lazy(async () => ({ default: (await import("./TokenSignatures")).TokenSignatures }));

export function TokenSignaturesLoader(props: ComponentProps<typeof TokenSignatures>) {
  const waiting = (
    <Sheet>
      <SkeletonRows rows={12} label="Loading rows" />
    </Sheet>
  );
  return (
    <Suspense fallback={waiting}>
      <TokenSignatures {...props} />
    </Suspense>
  );
}
