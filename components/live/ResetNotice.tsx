"use client";
/**
 * Tells the visitor that the chain was replaced or rewound. LiveProvider has already emptied the query cache. This
 * component also clears the router's cache of other pages.
 */
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Icon } from "@/components/atoms/Icon";
import { useChainReset } from "@/components/live/LiveProvider";

const resetTexts = {
  replaced: "The chain was reset. This page has been refreshed; older links may no longer work.",
  rewound:
    "The chain was rolled back to an earlier block. This page has been refreshed; older links may no longer work.",
};

export function ResetNotice() {
  const router = useRouter();
  const { reset, dismissReset } = useChainReset();
  const count = reset?.count ?? 0;
  useEffect(() => {
    if (count > 0) router.refresh();
  }, [count, router]);
  if (reset === undefined) return null;
  return (
    <div role="alert" className="border-warn border-b bg-surface">
      <p className="page-width flex items-center gap-3 py-2">
        <Icon name="alert" className="text-warn" />
        <span className="min-w-0 flex-1">{resetTexts[reset.kind]}</span>
        <button type="button" className="button" onClick={dismissReset}>
          Dismiss
        </button>
      </p>
    </div>
  );
}
