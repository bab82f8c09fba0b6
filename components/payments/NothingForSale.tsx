/** Shown by the pages of paid resources if the network has none. */
import type { ReactNode } from "react";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";

/** children: the reason, unless it is a missing token. */
export function NothingForSale({ network, children }: { network: string; children?: ReactNode }) {
  return (
    <Sheet>
      <Empty level="h2" title={`Nothing is for sale on ${network}`}>
        {children ?? "A paid resource needs a token to be paid in, and this network’s configuration names none."}
      </Empty>
    </Sheet>
  );
}
