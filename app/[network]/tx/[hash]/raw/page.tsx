/**
 * A transaction's bytes, receipt and JSON.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import {
  getTransactionSource,
  loadInSteps,
  type TransactionProps,
  toTabMetadata,
} from "@/app/[network]/tx/[hash]/loadTransaction";
import { TransactionRaw } from "@/components/transaction/TransactionRaw";
import { receiptQuery, transactionQuery } from "@/lib/query/queries";
import { rawTransactionQuery } from "@/lib/query/transaction";

export const generateMetadata = (props: TransactionProps) => toTabMetadata(props, "Raw");

export default async function Page(props: TransactionProps) {
  const { source, hash } = await getTransactionSource(props);
  const state = await loadInSteps((ask) =>
    Promise.all([
      ask(transactionQuery(source, hash)),
      ask(receiptQuery(source, hash)),
      ask(rawTransactionQuery(source, hash)),
    ]),
  );
  return (
    <HydrationBoundary state={state}>
      <TransactionRaw key={hash} hash={hash} />
    </HydrationBoundary>
  );
}
