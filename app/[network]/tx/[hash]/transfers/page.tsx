/** A transaction's token transfers and their net result. */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadMined,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionTransfers } from "@/components/transaction/TransactionTransfers";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props, "Transfers");

export default async function Page(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadMined(source, hash, async () => undefined);
  return (
    <HydrationBoundary state={state}>
      <TransactionTransfers key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
