/** Shown on pages about paid resources if the network has none. */
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";

/** `children` is the reason. The default reason is that the network has no payment token. */
export function NothingForSale({ network, children }: { network: string; children?: ReactNode }) {
  return (
    <Sheet>
      <Empty level="h2" title={`No paid resources on ${network}`}>
        {children ?? "Paid resources need a payment token, but none is configured for this network."}
      </Empty>
    </Sheet>
  );
}
