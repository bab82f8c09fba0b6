/**
 * A transaction's overview.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadInSteps,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionOverview } from "@/components/transaction/TransactionOverview";
import { paymentQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props);

export default async function TransactionPage(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadInSteps(async (ask) => {
    await Promise.all([
      ask(transactionQuery(source, hash)),
      ask(receiptQuery(source, hash)),
      ask(paymentQuery(source, hash)),
    ]);
  });
  return (
    <HydrationBoundary state={state}>
      <TransactionOverview key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
